#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "kitumaija/surroundings.hpp"

namespace kitumaija::v1 {
class Entropy;
class EntropyRequest;
}  // namespace kitumaija::v1

namespace kitumaija {

/// The bot's shares in the shuffling of tournaments: random bytes, committed to first and shown later.
class Shares {
 public:
  explicit Shares(Surroundings around);

  /// What to say to a request; nothing where there is nothing to say, for the bot plays all the same. What it did not
  /// commit to, or not against the commitment that the server names now, it does not reveal.
  std::optional<v1::Entropy> answer(const v1::EntropyRequest& asked);

 private:
  struct Share {
    std::array<std::uint8_t, 32> entropy{};
    std::string master_commitment;
  };
  /// The share in a tournament; drawn if this is the first time, nullptr if it cannot be.
  const Share* committed(const v1::EntropyRequest& asked);

  Surroundings around_;
  std::map<std::string, Share> shares_;
};

}  // namespace kitumaija
