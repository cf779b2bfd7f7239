// The door: forwards to the store.
#include "engine/engine.h"

#include "engine/io/io_uring_file_system.h"
#include "engine/store/session_state.h"
#include "engine/store/store.h"

namespace burin {

Engine::Engine(std::unique_ptr<Store> store) : store_(std::move(store)) {}
Engine::~Engine() = default;

Result<std::unique_ptr<Engine>> Engine::Open(const std::string& path,
                                             const EngineOptions& options) {
  auto store = Store::Open(path, options);
  if (!store.ok()) return store.TakeStatus();
  return std::unique_ptr<Engine>(new Engine(std::move(*store)));
}

Status Engine::CheckIo(Io io) {
  return io == Io::kPwrite ? Status() : MakeIoUringFileSystem().TakeStatus();
}

Result<DatabaseInfo> Engine::Inspect(const std::string& path, FileSystem* file_system) {
  return InspectDatabase(file_system != nullptr ? *file_system : PosixFileSystem(), path);
}

Status Engine::Remove(const std::string& path, FileSystem* file_system) {
  return RemoveDatabase(file_system != nullptr ? *file_system : PosixFileSystem(), path);
}

Result<TableId> Engine::CreateTable(std::string_view name) { return store_->CreateTable(name); }

Result<TableId> Engine::FindTable(std::string_view name) const {
  return store_->catalog().Find(name);
}

std::unique_ptr<Session> Engine::Connect() {
  return std::unique_ptr<Session>(
      new Session(std::make_unique<SessionState>(*store_, store_->NextSessionNumber())));
}

Status Engine::MergeAll() { return store_->MergeAll(); }

const RecoveryReport& Engine::recovery() const { return store_->recovery(); }
EngineStatistics Engine::Statistics() const { return store_->Statistics(); }
void Engine::RestartLongest() { store_->RestartLongest(); }
Status Engine::Close() { return store_->Close(); }

std::string_view Version() { return BURIN_VERSION; }

}  // namespace burin
