#include "engine/store/catalog.h"

namespace burin {

Result<TableId> Catalog::Find(std::string_view name) const {
  const std::lock_guard lock(mutex_);
  const auto found = ids_.find(name);
  if (found == ids_.end()) {
    return Status(StatusCode::kNotFound, "no table named \"" + std::string(name) + "\"");
  }
  return found->second;
}

void Catalog::Add(std::string_view name, TableId id) {
  const std::lock_guard lock(mutex_);
  ids_.emplace(name, id);
  count_.store(static_cast<TableId>(ids_.size()), std::memory_order_release);
}

std::vector<std::string> Catalog::Names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names(ids_.size());
  for (const auto& [name, id] : ids_) names[id] = name;
  return names;
}

}  // namespace burin
