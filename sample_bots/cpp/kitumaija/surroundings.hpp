#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "kitumaija/bot.hpp"

namespace kitumaija {

/// Where a client gets time, chance and a log from: real ones by default, a test's own in a test. All of them are
/// called from several threads.
struct Surroundings {
  std::function<Clock::time_point()> now = Clock::now;
  /// A number of [0, 1), for the jitter of waits.
  std::function<double()> chance;
  /// Fills the bytes from a generator meant for secrets; false if there is none.
  std::function<bool(std::span<std::uint8_t>)> secret;
  /// Takes one line.
  std::function<void(std::string_view)> log;

  Surroundings();
};

}  // namespace kitumaija
