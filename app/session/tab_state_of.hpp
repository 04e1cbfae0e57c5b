// The state of a tab by its type: what files, undo and another run do with it follows from the members that
// the type lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/session/local_path.hpp"
#include "app/session/tab_states.hpp"
#include "engine/trace/fields.hpp"
#include "engine/trace/json_fields.hpp"

namespace bscope {

namespace detail {

template <class T>
struct TabStateOf final : Holds<T> {
  using Holds<T>::value;
  std::shared_ptr<AnyTabState> copy() const override { return std::make_shared<TabStateOf>(*this); }
  size_t place() const override { return type_index<T>(); }
  const char* saved_as() const override { return T::saved_as; }
  uint64_t fingerprint() const override { return bscope::fingerprint(value); }
  void write(nlohmann::ordered_json& j) const override { j = to_fields_json(value); }
  void read(const nlohmann::ordered_json& j) override { from_fields_json(value, j, T::saved_as); }
  void fit(const Run& run) override {
    if constexpr (requires { value.fit(run); }) value.fit(run);
  }
  void run_opened(const Run& run) override {
    if constexpr (requires { value.run_opened(run); }) value.run_opened(run);
  }
  std::string path() const override {
    std::string named;
    each_path(value, T::saved_as, [&](const std::string& name, const LocalPath& path) {
      if (!path.empty()) named = name;
    });
    return named;
  }
  void forget_paths() override {
    each_path(value, {}, [](const std::string&, LocalPath& path) { path.clear(); });
  }
};

}  // namespace detail

/// For Tab::state.
template <class T>
std::shared_ptr<const detail::AnyTabState> remembers() {
  detail::type_index<T>();
  return std::make_shared<detail::TabStateOf<T>>();
}

}  // namespace bscope
