// The smallest bot: it plays the first legal action.
#include "kitumaija/run.hpp"

int main() {
  return kitumaija::play_main(kitumaija::memoryless([](const kitumaija::Turn& turn) { return turn.legal.front(); }));
}
