#include "kitumaija/ending.hpp"

#include <grpcpp/support/status_code_enum.h>

#include <charconv>
#include <cmath>
#include <memory>
#include <utility>

#include "errors.pb.h"

namespace kitumaija {

namespace {

/// For each reason that can end a stream, whether a new stream may succeed.
const std::map<std::string_view, bool>& known_reasons() {
  static const std::map<std::string_view, bool> reasons{
      {"UNAUTHENTICATED_NO_TOKEN", false},
      {"UNAUTHENTICATED_TOKEN", false},
      {"PERMISSION_DENIED", false},
      {"BOT_DISABLED", false},
      {"INVALID_ARGUMENT_FIELD", false},
      {"BOT_VERSION_FROZEN", false},
      {"REPLACED", false},
      {"PROTOCOL_VIOLATION", false},
      {"FRAME_TOO_LARGE", false},
      {"FLOODING", false},
      {"TOO_MANY_REPLACEMENTS", true},
      {"HELLO_LATE", true},
      {"NOT_READING", true},
      {"SILENT", true},
      {"DRAINING", true},
      {"RESOURCE_EXHAUSTED", true},
      {"STORE_FAILED", true},
      {"INTERNAL", true},
  };
  return reasons;
}

std::string_view status_name(int status) {
  switch (status) {
    case grpc::OK:
      return "OK";
    case grpc::CANCELLED:
      return "CANCELLED";
    case grpc::INVALID_ARGUMENT:
      return "INVALID_ARGUMENT";
    case grpc::DEADLINE_EXCEEDED:
      return "DEADLINE_EXCEEDED";
    case grpc::PERMISSION_DENIED:
      return "PERMISSION_DENIED";
    case grpc::UNAUTHENTICATED:
      return "UNAUTHENTICATED";
    case grpc::RESOURCE_EXHAUSTED:
      return "RESOURCE_EXHAUSTED";
    case grpc::FAILED_PRECONDITION:
      return "FAILED_PRECONDITION";
    case grpc::ABORTED:
      return "ABORTED";
    case grpc::UNIMPLEMENTED:
      return "UNIMPLEMENTED";
    case grpc::INTERNAL:
      return "INTERNAL";
    case grpc::UNAVAILABLE:
      return "UNAVAILABLE";
    default:
      return "UNKNOWN";
  }
}

struct OutcomeText {
  std::string operator()(const Left& /*left*/) const { return "it was asked to"; }
  std::string operator()(const WrongSetting& wrong) const { return wrong.message; }
  std::string operator()(const Unreachable& away) const {
    return "no server was reached at " + away.address + ": " + to_string(away.last);
  }
  std::string operator()(const Refused& refused) const { return to_string(refused.ending); }
};

struct OutcomeCode {
  int operator()(const Left& /*left*/) const { return 0; }
  int operator()(const WrongSetting& /*wrong*/) const { return 2; }
  int operator()(const Unreachable& /*away*/) const { return 3; }
  int operator()(const Refused& /*refused*/) const { return 4; }
};

}  // namespace

bool Ending::again() const {
  if (const auto known = known_reasons().find(reason); known != known_reasons().end()) {
    return known->second;
  }
  switch (status) {
    case grpc::UNAUTHENTICATED:
    case grpc::PERMISSION_DENIED:
    case grpc::INVALID_ARGUMENT:
    case grpc::FAILED_PRECONDITION:
    case grpc::UNIMPLEMENTED:
      return false;
    default:
      return true;
  }
}

Clock::duration Ending::retry_after() const {
  const auto found = metadata.find("retry_seconds");
  if (found == metadata.end()) {
    return {};
  }
  constexpr double longest = 24.0 * 60 * 60;
  double seconds = 0;
  const auto& text = found->second;
  const auto read = std::from_chars(text.data(), std::to_address(text.end()), seconds);
  if (read.ec != std::errc{} || !(seconds > 0)) {
    return {};
  }
  return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>{std::fmin(seconds, longest)});
}

Ending ending_of(int status, std::string message, std::string_view details) {
  Ending ending{status, {}, std::move(message), {}};
  errors::Status rich;
  if (!rich.ParseFromArray(details.data(), static_cast<int>(details.size()))) {
    return ending;
  }
  for (const auto& detail : rich.details()) {
    errors::ErrorInfo info;
    if (detail.type_url().ends_with("/google.rpc.ErrorInfo") && info.ParseFromString(detail.value()) &&
        info.domain() == "kitumaija") {
      ending.reason = info.reason();
      ending.metadata = {info.metadata().begin(), info.metadata().end()};
    }
  }
  return ending;
}

std::string to_string(const Ending& ending) {
  if (ending.status == grpc::OK) {
    return "the server ended the stream";
  }
  return (ending.reason.empty() ? std::string{status_name(ending.status)} : ending.reason) + ": " + ending.message;
}

int exit_code(const Outcome& outcome) { return std::visit(OutcomeCode{}, outcome); }

std::string to_string(const Outcome& outcome) { return std::visit(OutcomeText{}, outcome); }

}  // namespace kitumaija
