#include "kitumaija/line.hpp"

#include <grpcpp/grpcpp.h>

#include <thread>
#include <utility>

#include "kitumaija/outbox.hpp"
#include "kitumaija/v1/arena.grpc.pb.h"

namespace kitumaija {

namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds keep_alive = 20s;
constexpr std::chrono::milliseconds keep_alive_timeout = 12s;
constexpr std::chrono::milliseconds time_to_connect = 10s;
constexpr int largest_read = 64 * 1024 * 1024;  // a MatchSync has all events of a match

std::shared_ptr<grpc::Channel> dialed(const Dial& dial) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, static_cast<int>(keep_alive.count()));
  arguments.SetInt(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, static_cast<int>(keep_alive_timeout.count()));
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, static_cast<int>(time_to_connect.count()));
  // Else a new channel shares the connection of the last one, and gRPC's own waits between two tries.
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(largest_read);
  const auto credentials =
      dial.secure
          ? grpc::SslCredentials({.pem_root_certs = dial.certificates, .pem_private_key = {}, .pem_cert_chain = {}})
          : grpc::InsecureChannelCredentials();
  return grpc::CreateCustomChannel(dial.target, credentials, arguments);
}

}  // namespace

class Line::Stream {
 public:
  Stream(const Dial& dial, Listener listener)
      : listener_{std::move(listener)}, arena_{v1::ArenaService::NewStub(dialed(dial))} {
    context_.AddMetadata("authorization", "Bearer " + dial.token);
    thread_ = std::jthread{[this] { play(); }};
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  Stream(Stream&&) = delete;
  Stream& operator=(Stream&&) = delete;
  ~Stream() { cut(); }

  void cut() { context_.TryCancel(); }
  Outbox& outbox() { return outbox_; }

 private:
  void play() {
    const auto stream = arena_->Play(&context_);
    {
      const std::jthread writer{[&] { write(*stream); }};
      v1::PlayResponse frame;
      while (stream->Read(&frame)) {
        listener_.heard(std::move(frame), listener_.now());
        frame = {};
      }
      outbox_.close();
    }
    const auto status = stream->Finish();
    listener_.over(ending_of(status.error_code(), status.error_message(), status.error_details()));
  }

  void write(grpc::ClientReaderWriter<v1::PlayRequest, v1::PlayResponse>& stream) {
    while (const auto frame = outbox_.frame()) {
      if (!stream.Write(*frame)) {
        return;  // the reader learns why
      }
    }
    stream.WritesDone();
  }

  Listener listener_;
  std::unique_ptr<v1::ArenaService::Stub> arena_;
  grpc::ClientContext context_;
  Outbox outbox_;
  std::jthread thread_;  // last, so that it has ended before anything else here goes
};

Line::Line(const Dial& dial, Listener listener) : stream_{std::make_unique<Stream>(dial, std::move(listener))} {}

Line::~Line() = default;

void Line::say(std::vector<v1::BotMessage> messages) { stream_->outbox().put(std::move(messages)); }

void Line::hang_up() { stream_->outbox().finish(); }

void Line::cut() { stream_->cut(); }

}  // namespace kitumaija
