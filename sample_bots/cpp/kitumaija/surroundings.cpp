#include "kitumaija/surroundings.hpp"

#include <unistd.h>

#include <iostream>
#include <random>
#include <string>

namespace kitumaija {

namespace {

double drawn() {
  thread_local std::mt19937 generator{std::random_device{}()};
  return std::uniform_real_distribution<>{}(generator);
}

bool from_the_system(std::span<std::uint8_t> bytes) { return getentropy(bytes.data(), bytes.size()) == 0; }

void to_stderr(std::string_view line) {
  // In one piece, so that the lines of several threads do not mix.
  std::cerr << "kitumaija: " + std::string{line} + "\n";
}

}  // namespace

Surroundings::Surroundings() : chance{drawn}, secret{from_the_system}, log{to_stderr} {}

}  // namespace kitumaija
