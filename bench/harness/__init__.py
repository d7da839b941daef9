"""The parts of bench/run: the catalogue of measurements, their execution, and the output."""
