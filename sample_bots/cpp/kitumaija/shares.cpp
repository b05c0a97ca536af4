#include "kitumaija/shares.hpp"

#include <openssl/sha.h>

#include <utility>

#include "kitumaija/v1/arena.pb.h"

namespace kitumaija {

Shares::Shares(Surroundings around) : around_{std::move(around)} {}

const Shares::Share* Shares::committed(const v1::EntropyRequest& asked) {
  if (const auto found = shares_.find(asked.tournament_id()); found != shares_.end()) {
    return &found->second;
  }
  Share drawn{.entropy = {}, .master_commitment = asked.master_commitment()};
  if (!around_.secret(drawn.entropy)) {
    around_.log("there are no secret random bytes: this bot gives no entropy, and plays all the same");
    return nullptr;
  }
  return &shares_.emplace(asked.tournament_id(), std::move(drawn)).first->second;
}

std::optional<v1::Entropy> Shares::answer(const v1::EntropyRequest& asked) {
  v1::Entropy said;
  said.set_tournament_id(asked.tournament_id());
  said.set_step(asked.step());
  if (asked.step() == v1::ENTROPY_STEP_COMMIT) {
    const auto* share = committed(asked);
    if (share == nullptr) {
      return std::nullopt;
    }
    std::array<std::uint8_t, SHA256_DIGEST_LENGTH> hash{};
    SHA256(share->entropy.data(), share->entropy.size(), hash.data());
    said.set_value(hash.data(), hash.size());
    return said;
  }
  const auto found = shares_.find(asked.tournament_id());
  if (asked.step() != v1::ENTROPY_STEP_REVEAL || found == shares_.end() ||
      found->second.master_commitment != asked.master_commitment()) {
    return std::nullopt;
  }
  said.set_value(found->second.entropy.data(), found->second.entropy.size());
  return said;
}

}  // namespace kitumaija
