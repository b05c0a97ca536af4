#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <string>
#include <variant>

#include "kitumaija/bot.hpp"
#include "kitumaija/ending.hpp"
#include "kitumaija/line.hpp"
#include "kitumaija/surroundings.hpp"

namespace kitumaija {

/// How long a client waits for what.
struct Waits {
  Clock::duration first = std::chrono::milliseconds{200};  ///< between two dials, at first
  Clock::duration last = std::chrono::seconds{5};          ///< and at most
  Clock::duration silence = std::chrono::seconds{12};   ///< a stream on which nothing is heard for so long is given up
  Clock::duration leaving = std::chrono::seconds{2};    ///< for the server to see a Goodbye, and for bots to stop
  Clock::duration patience = std::chrono::minutes{10};  ///< of dialing without success
};

/// How a bot reaches its server, and what it says of itself.
struct Options {
  std::string address;         ///< HOST:PORT, or https://HOST:PORT for TLS
  std::string token;           ///< the bot's own
  std::string ca_file;         ///< certificates to trust, in PEM; it switches TLS on
  std::string bot_version;     ///< frozen by a tournament at its first match
  std::uint32_t capacity = 0;  ///< matches at once; 0 means the server's default
  Waits waits;
};

/// The options of KITUMAIJA_ADDRESS, KITUMAIJA_TOKEN and KITUMAIJA_TLS_CA.
Options options_from_environment();

/// Whom the options say to dial, or what is wrong with them.
std::variant<Dial, WrongSetting> dial_of(const Options& options);

/// Plays until `leave` is asked to stop, or until playing on is of no use.
Outcome run(const BotMaker& make, const Options& options, const std::stop_token& leave,
            const Surroundings& around = {});

/// Runs a bot by the environment until Ctrl-C or SIGTERM, and returns the exit code of the process; a second of them
/// ends it at once. To be called first in main: signals are taken from all threads that are started later.
int play_main(const BotMaker& make);

}  // namespace kitumaija
