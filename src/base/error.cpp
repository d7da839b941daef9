#include "weft/error.hpp"

#include "base/exception_type.hpp"

namespace weft {

ExitRequested::ExitRequested(int code, int signal)
    : Error{signal != 0 ? "The program was ended by signal " + std::to_string(signal)
                        : "The program asked to exit with " + std::to_string(code)},
      code_{code},
      signal_{signal} {}

namespace {

std::string composite_text(const std::vector<std::exception_ptr>& errors) {
  std::string text = std::to_string(errors.size()) + " errors occurred";
  for (const std::exception_ptr& error : errors) text += "\n  " + describe(error);
  return text;
}

}  // namespace

CompositeError::CompositeError(std::vector<std::exception_ptr> errors)
    : Error{composite_text(errors)}, errors_{std::move(errors)} {}

std::string describe(const std::exception_ptr& error) {
  if (error == nullptr) return "no error";
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& known) {
    return known.what();
  } catch (const Cancelled& cancelled) {
    return std::string{"cancelled: "} + cancelled.reason();
  } catch (const char* text) {
    return text;
  } catch (const std::string& text) {
    return text;
  } catch (...) {
    return "an exception of an unknown type";
  }
}

bool is_cancellation(const std::exception_ptr& error) noexcept { return holds<Cancelled>(error); }

std::exception_ptr as_cancellation(std::exception_ptr error) noexcept {
  if (error == nullptr || is_cancellation(error)) return error;
  return std::make_exception_ptr(
      Cancelled::with_literal("Cancelled by an error", std::move(error)));
}

}  // namespace weft
