#pragma once

#include <string>
#include <vector>

namespace weft_hostile {

/// Redirects the output of a program to two unnamed files, which the harness reads.
class Output {
 public:
  Output();
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// Called in the process of the program: makes the files its standard streams.
  void take_streams() const;
  /// Truncates the files.
  void clear() const;
  /// The text written to standard output and standard error.
  [[nodiscard]] std::string printed() const;
  [[nodiscard]] std::string errors() const;

 private:
  int printed_;
  int errors_;
};

/// The lines that the `// Prints:` comment of an example promises; none if there is no such
/// comment.
[[nodiscard]] std::vector<std::string> promised_lines(const std::string& source);

/// The first promised line that was not printed; empty if the program has printed another line,
/// which counts as an error message.
[[nodiscard]] std::string missing_line(const std::vector<std::string>& promised,
                                       const std::string& printed);

}  // namespace weft_hostile
