#pragma once

#include <map>
#include <string>
#include <string_view>
#include <variant>

#include "kitumaija/bot.hpp"

namespace kitumaija {

/// Why a stream ended: by an error of the server, by a lost connection, or, with the status OK, without an error.
struct Ending {
  int status = 0;      ///< gRPC's number
  std::string reason;  ///< of the guide's list; empty where gRPC itself made the error
  std::string message;
  std::map<std::string, std::string> metadata;

  /// Whether a new stream may succeed.
  [[nodiscard]] bool again() const;
  /// How long the server wants to be left alone.
  [[nodiscard]] Clock::duration retry_after() const;
};

/// Reads how a stream ended from its status, and from what its metadata grpc-status-details-bin holds.
Ending ending_of(int status, std::string message, std::string_view details);

/// How an ending is told to a reader.
std::string to_string(const Ending& ending);

/// It left politely.
struct Left {};
/// A setting is missing or wrong.
struct WrongSetting {
  std::string message;
};
/// No server was reached for as long as the bot's patience lasts.
struct Unreachable {
  std::string address;
  Ending last;
};
/// The server does not want it: a wrong token, a newer copy, a frozen version.
struct Refused {
  Ending ending;
};

/// Why a bot plays no more.
using Outcome = std::variant<Left, WrongSetting, Unreachable, Refused>;

/// The exit code of a process, the same in every language.
int exit_code(const Outcome& outcome);

/// How an outcome is told to a reader.
std::string to_string(const Outcome& outcome);

}  // namespace kitumaija
