#include "kitumaija/outbox.hpp"

#include <iterator>
#include <utility>

namespace kitumaija {

void Outbox::put(std::vector<v1::BotMessage> messages) {
  if (messages.empty()) {
    return;
  }
  {
    const std::scoped_lock lock{mutex_};
    if (finished_) {
      return;
    }
    std::move(messages.begin(), messages.end(), std::back_inserter(waiting_));
  }
  changed_.notify_one();
}

void Outbox::finish() {
  {
    const std::scoped_lock lock{mutex_};
    finished_ = true;
  }
  changed_.notify_one();
}

void Outbox::close() {
  {
    const std::scoped_lock lock{mutex_};
    finished_ = true;
    waiting_.clear();
  }
  changed_.notify_one();
}

std::optional<v1::PlayRequest> Outbox::frame() {
  std::unique_lock lock{mutex_};
  changed_.wait(lock, [this] { return finished_ || !waiting_.empty(); });
  if (waiting_.empty()) {
    return std::nullopt;
  }
  v1::PlayRequest frame;
  std::size_t size = 0;
  do {
    *frame.add_messages() = std::move(waiting_.front());
    waiting_.pop_front();
    // Beside each message its field's number and its length, in at most five bytes.
    size += frame.messages().rbegin()->ByteSizeLong() + 5;
  } while (!waiting_.empty() && size + waiting_.front().ByteSizeLong() + 5 <= largest_frame);
  return frame;
}

}  // namespace kitumaija
