"""What bench/run is made of: the catalogue of measurements, their execution, and what is written."""
