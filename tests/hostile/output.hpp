#pragma once

#include <string>
#include <vector>

namespace weft_hostile {

/// What a program prints goes into two files without a name, which the harness can read.
class Output {
 public:
  Output();
  ~Output();
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  /// In the process of the program: from now on its standard streams are these files.
  void take_streams() const;
  /// Forgets what was printed.
  void clear() const;
  /// What went to standard output and standard error.
  [[nodiscard]] std::string printed() const;
  [[nodiscard]] std::string errors() const;

 private:
  int printed_;
  int errors_;
};

/// The lines that the `// Prints:` comment of an example promises; none if there is no such
/// comment.
[[nodiscard]] std::vector<std::string> promised_lines(const std::string& source);

/// The first promised line that was not printed, if all that was printed was promised. A program
/// that says something else has told what went wrong.
[[nodiscard]] std::string missing_line(const std::vector<std::string>& promised,
                                       const std::string& printed);

}  // namespace weft_hostile
