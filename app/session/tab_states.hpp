// What tabs remember beside the cursor, whatever their types: one value of each type, copied with the state.
//
// A type lists its members in `fields(self, visit)` (what a session file and undo keep) and says where they
// are saved: `static constexpr const char* saved_as = "banks"`. What is made of them is not here but in
// app/session/tab_results.hpp. A type may have
//   void fit(const Run&)             members that must stay in a range, put right after a session was read
//   void run_opened(const Run&)      another run is open now
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace bscope {

struct Run;

namespace detail {

/// A value of a type that only its tab knows.
struct AnyTabState {
  virtual ~AnyTabState() = default;
  virtual std::shared_ptr<AnyTabState> copy() const = 0;
  virtual size_t place() const = 0;  ///< in every TabStates
  virtual const char* saved_as() const = 0;
  virtual uint64_t fingerprint() const = 0;  ///< of its fields
  virtual void write(nlohmann::ordered_json&) const = 0;
  /// Throws BadFile.
  virtual void read(const nlohmann::ordered_json&) = 0;
  virtual void fit(const Run&) = 0;
  virtual void run_opened(const Run&) = 0;
  /// The name of a member that is a file of this machine; empty: none is.
  virtual std::string path() const = 0;
  virtual void forget_paths() = 0;
};

template <class T>
struct Holds : AnyTabState {  // the rest is in app/session/tab_state_of.hpp
  T value;
};

inline size_t next_place() {
  static size_t places = 0;
  return places++;
}
/// Where the type stands in every TabStates.
template <class T>
size_t type_index() {
  static const size_t place = next_place();
  return place;
}

}  // namespace detail

class TabStates {
 public:
  /// The value of this type; its default where it is not written yet. Types of tabs only: theirs alone
  /// are saved.
  template <class T>
  const T& of() const {
    static const T fresh{};
    const size_t place = detail::type_index<T>();
    if (place >= all_.size() || !all_[place]) return fresh;
    return static_cast<const detail::Holds<T>&>(*all_[place]).value;
  }
  /// To be written: a value that another state has as well is copied now.
  template <class T>
  T& of() {
    return static_cast<detail::Holds<T>&>(own(detail::type_index<T>())).value;
  }

  /// What there is of the tab that registered this.
  const detail::AnyTabState& of(const detail::AnyTabState& beginning) const;

  /// Those of all registered tabs, by the names that they are saved as.
  void each(const std::function<void(const detail::AnyTabState&)>&) const;
  void each(const std::function<void(detail::AnyTabState&)>&);
  /// Whether all fields of both are equal, but for those of the tabs for which `but` says so.
  static bool alike(const TabStates&, const TabStates&,
                    const std::function<bool(const detail::AnyTabState&)>& but = {});

 private:
  detail::AnyTabState& own(size_t place);
  std::vector<std::shared_ptr<detail::AnyTabState>> all_;
};

}  // namespace bscope
