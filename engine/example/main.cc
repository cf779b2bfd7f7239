// Writes two rows durably, reads them again in key order and prints them.
#include <burin/engine.h>

#include <iostream>

int main(int count, char** words) {
  auto engine = burin::Engine::Open(count > 1 ? words[1] : "orders.db", {});
  if (!engine.ok()) return std::cerr << engine.status().message() << '\n', 1;
  auto table = (*engine)->CreateTable("orders");
  auto session = (*engine)->Connect();
  auto transaction = session->Begin(burin::TransactionKind::kConcurrent);
  burin::Status status = transaction->Insert(*table, 2, "second");
  if (status.ok()) status = transaction->Insert(*table, 1, "first");
  if (status.ok()) status = transaction->Commit();  // Ok: on the device
  if (!status.ok()) return std::cerr << status.message() << '\n', 1;

  auto reader = session->Begin(burin::TransactionKind::kConcurrent);
  status = reader->Scan(*table, 1, 2, [](int64_t key, std::string_view value) {
    std::cout << key << ' ' << value << '\n';
    return true;
  });
  return status.ok() ? 0 : 1;
}
