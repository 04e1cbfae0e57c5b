// Machine code that comes with the program: each kernel's every form is found, and what it takes of a
// multiprocessor is what GPUs said.
#include "engine/machine_code/machine_code.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "engine/catalog/catalog.hpp"
#include "engine/catalog/make_problem.hpp"
#include "engine/catalog/run_spec.hpp"
#include "engine/machine_code/launched_code.hpp"
#include "engine/simt/problem.hpp"
#include "engine/timing/timeline.hpp"
#include "engine/trace/read_file.hpp"
#include "engine/trace/trace.hpp"
#include "tests/places.hpp"

namespace bscope {
namespace {

using testing::ElementsAre;

const std::filesystem::path folder = std::string(BARRIERSCOPE_ROOT) + "/assets/machine-code";

/// Runs `f` with each choice of all parameters together; of a range its ends.
void each_choice(const Algorithm& a, size_t k, RunSpec r, const std::function<void(const RunSpec&)>& f) {
  if (k == a.parameters.size()) return f(r);
  const Parameter& p = a.parameters[k];
  std::vector<std::string> values;
  for (const Choice& c : p.values) values.push_back(c.text);
  if (values.empty()) values = {p.initial.text, std::to_string(p.least), std::to_string(p.most)};
  for (const std::string& v : values) {
    r.set.emplace_back(p.name, v);
    each_choice(a, k + 1, r, f);
    r.set.pop_back();
  }
}

TEST(MachineCode, EveryFormOfEveryKernelIsThereAndNoOther) {
  std::set<std::string> used;
  std::map<std::string, std::set<std::string>> keys;
  for (const Algorithm* a : catalog()) {
    int taken = 0;
    each_choice(*a, 0, {.kernel = a->name, .n = 200}, [&](const RunSpec& r) {
      try {
        for (const LaunchedForm& form : a->forms(make_problem(*a, r))) used.insert(form.key);
        ++taken;
      } catch (const UsageError&) {}  // not all choices go together
    });
    EXPECT_GT(taken, 0) << a->name;
  }
  for (const std::string& key : used) {
    const auto code = load_machine_code(folder / machine_code_file(key), key);
    ASSERT_TRUE(code) << key << ": run tools/machine_code.py";
    EXPECT_GT(code->registers, 0) << key;
    EXPECT_LE(code->registers, 255) << key;
    const auto& last = code->instructions.back();
    EXPECT_TRUE(last.kind() == MachineInstruction::control) << key << " ends with " << last.text;
    // lines are of a text that the program holds
    const auto text = source_text(code->source);
    const auto lines = std::count(text.begin(), text.end(), '\n');
    EXPECT_GT(lines, 0) << code->source;
    for (const auto& i : code->instructions) {
      EXPECT_GE(i.line, 0) << key;
      EXPECT_LE(i.line, lines) << key;
    }
  }
  std::set<std::string> held;
  uintmax_t bytes = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".json") {
      bytes += file.file_size();
      std::ifstream in(file.path());
      for (std::string line; std::getline(in, line);)
        if (const std::string head = "{\"key\":\""; line.starts_with(head))
          held.insert(line.substr(head.size(), line.find('"', head.size()) - head.size()));
    }
  // Kernels that ask for a commutative operator are compiled for maps, too, and refuse them.
  std::vector<std::string> more;
  std::ranges::set_difference(held, used, std::back_inserter(more));
  EXPECT_THAT(more, testing::Each(testing::HasSubstr("6Affine"))) << "nobody can choose them";
  EXPECT_LT(bytes, 2'100'000u) << "they travel with the program";
}

TEST(MachineCode, EveryLaunchOfARunFindsItsOwn) {
  for (const Algorithm* a : catalog()) {
    const Trace t = run(*a, make_problem(*a, {.kernel = a->name}), Device::cpu);
    for (size_t k = 0; k < t.launches.size(); ++k) {
      const LaunchedCode found = launched_code(t, k, folder);
      ASSERT_TRUE(found.code) << a->name << " " << t.launches[k].name << " " << int(found.why);
      EXPECT_EQ(found.code->source, t.sources[size_t(t.launches[k].source)].path) << a->name;
      EXPECT_GT(found.occupancy.blocks, 0) << a->name;
    }
  }
}

TEST(MachineCode, SaysWhyThereIsNone) {
  const Algorithm& a = find("scan/blelloch");
  Trace t = run(a, make_problem(a, {.kernel = a.name}), Device::cpu);
  EXPECT_EQ(launched_code(t, 0, {}).why, LaunchedCode::no_assets);
  EXPECT_EQ(launched_code(t, 0, folder / "nowhere").why, LaunchedCode::unreadable);
  EXPECT_EQ(launched_code(t, t.launches.size(), folder).why, LaunchedCode::other_launches);
  const Trace whole = t;
  t.launches[0].name = "another";
  EXPECT_EQ(launched_code(t, 0, folder).why, LaunchedCode::other_launches);
  t = whole;
  t.parameters.clear();
  EXPECT_EQ(launched_code(t, 0, folder).why, LaunchedCode::other_launches);
  t.parameters = {{"block", "99999999999"}, {"n", "-1"}};
  EXPECT_EQ(launched_code(t, 0, folder).why, LaunchedCode::other_launches);
  t.kernel = "scan/nobody";
  EXPECT_EQ(launched_code(t, 0, folder).why, LaunchedCode::unknown_kernel);
  t.dialect = Dialect::cuda;
  EXPECT_EQ(launched_code(t, 0, folder).why, LaunchedCode::own_program);
}

TEST(MachineCode, AFileIsReadAndNotTrusted) {
  const std::string good =
      R"({"format":"barrierscope.machine-code/1","architecture":"sm_90","nvcc":"13","nvdisasm":"13",
    "kernel":"K","source":"kernels/k.cu","texts":["EXIT","@!P0 LDG.E R2,[R4.64]"],
    "forms":[{"key":"1KI","registers":12,"stack":8,"shared":16,"local":4,"code":[[0,1],[7,1,0],[3,0]]}]})";
  const auto code = read_machine_code(good, "1KI", "file");
  ASSERT_TRUE(code);
  EXPECT_EQ(code->registers, 12);
  EXPECT_EQ(code->shared, 16u);
  std::vector<std::string> all;
  for (const auto& i : code->instructions)
    all.push_back(std::to_string(i.address) + " " + std::to_string(i.line) + " " + i.text);
  EXPECT_THAT(
      all, ElementsAre("0 0 @!P0 LDG.E R2,[R4.64]", "16 7 @!P0 LDG.E R2,[R4.64]", "32 7 EXIT", "48 3 EXIT"));
  EXPECT_EQ(code->by_line().at(7).size(), 2u);
  EXPECT_FALSE(read_machine_code(good, "1LI", "file"));
  const auto spoiled = [&](std::string from, const std::string& to) {
    std::string text = good;
    text.replace(text.find(from), from.size(), to);
    EXPECT_THROW(read_machine_code(text, "1KI", "file"), BadFile) << to;
  };
  spoiled("[7,1,0]", "[7,1,2]");
  spoiled("[7,1,0]", "[7,1,-1]");
  spoiled("[7,1,0]", "[7,1,\"x\"]");
  spoiled("[7,1,0]", "8");
  spoiled("\"registers\":12", "\"registers\":\"12\"");
  spoiled("code/1", "code/2");
  EXPECT_THROW(read_machine_code("{", "1KI", "file"), BadFile);
  EXPECT_EQ(machine_code_file("8BlellochILb1E"), "Blelloch.json");
  for (const char* none : {"", "Blelloch", "9Blelloch", "0", "99999999999999999999x"})
    EXPECT_EQ(machine_code_file(none), "") << none;
}

TEST(MachineCode, KindsFollowFromTheOpcode) {
  using M = MachineInstruction;
  for (const auto& [text, kind] : std::initializer_list<std::pair<const char*, M::Category>>{
           {"@!P0 LDG.E R2,[R4.64]", M::memory},
           {"STS [R2],R4", M::memory},
           {"ATOMS.ADD R2,[R4],R5", M::memory},
           {"UBLKCP.S.G [UR4],[UR6],UR8", M::memory},
           {"SHFL.UP PT,R2,R3,0x1,RZ", M::exchange},
           {"LDC R1,c[0x0][0x28]", M::arithmetic},
           {"IMAD.WIDE R2,R3,0x4,R4", M::arithmetic},
           {"BAR.SYNC.DEFER_BLOCKING 0x0", M::barrier},
           {"MEMBAR.SC.GPU", M::barrier},
           {"SYNCS.PHASECHK.TRANS64.TRYWAIT P0,[UR4],R2", M::barrier},
           {"@P0 BRA 0x120", M::control},
           {"EXIT", M::control}})
    EXPECT_EQ((M{.text = text}).kind(), kind) << text;
}

TEST(Occupancy, IsBoundByWhatRunsOutFirst) {
  const auto of = [](int threads, int registers, uint32_t shared) {
    const Occupancy o = occupancy(threads, registers, shared);
    return std::tuple(o.blocks, o.warps, o.limit());
  };
  EXPECT_EQ(of(256, 32, 0), std::tuple(8, 64, Occupancy::by_registers)) << "warps bound it as tightly";
  EXPECT_EQ(of(256, 16, 0), std::tuple(8, 64, Occupancy::by_warps));
  EXPECT_EQ(of(256, 33, 0), std::tuple(6, 48, Occupancy::by_registers))
      << "40 registers, 12 warps a partition";
  EXPECT_EQ(of(32, 16, 0), std::tuple(32, 32, Occupancy::by_blocks));
  EXPECT_EQ(of(1024, 64, 0), std::tuple(1, 32, Occupancy::by_registers));
  EXPECT_EQ(of(1024, 255, 0), std::tuple(0, 0, Occupancy::by_registers)) << "too many to start at all";
  EXPECT_EQ(of(256, 16, 48 << 10), std::tuple(4, 32, Occupancy::by_shared))
      << "1 KB more for the system each";
  EXPECT_EQ(of(256, 16, 227 << 10), std::tuple(1, 8, Occupancy::by_shared));
  EXPECT_EQ(of(256, 16, (227 << 10) + 1), std::tuple(0, 0, Occupancy::by_shared));
  EXPECT_EQ(of(33, 16, 0), std::tuple(32, 64, Occupancy::by_warps)) << "a warp of one thread is a warp";
}

// What an H200's driver said when the timelines were recorded.
TEST(Occupancy, IsWhatGpusSaid) {
  int compared = 0;
  for (const char* place : {"/assets/timelines", "/tests/recorded/timelines"})
    for (const auto& file : std::filesystem::directory_iterator(std::string(BARRIERSCOPE_ROOT) + place)) {
      if (file.path().extension() != ".json") continue;
      const Timeline t = load_timeline(file.path());
      for (const TimelineLaunch& l : t.launches) {
        if (!l.untraced_registers) continue;
        ++compared;
        EXPECT_EQ(occupancy(l.block, l.untraced_registers, l.shared_bytes).blocks, l.untraced_resident)
            << file.path() << " " << l.name << ": " << l.block << " threads, " << l.untraced_registers
            << " registers, " << l.shared_bytes << " bytes";
        EXPECT_EQ(occupancy(l.block, l.registers, l.shared_bytes).blocks, l.resident)
            << file.path() << " " << l.name << ", stamped";
      }
    }
  EXPECT_GE(compared, 24);
}

// The driver's registers of what was compiled then are those of what is compiled now.
TEST(MachineCode, RegistersAreWhatGpusSaid) {
  int compared = 0, alike = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(BARRIERSCOPE_ROOT) + "/assets/timelines")) {
    if (file.path().extension() != ".json") continue;
    const Timeline t = load_timeline(file.path());
    const Algorithm& a = find(t.kernel);
    RunSpec r{.kernel = t.kernel, .n = t.n};
    for (const auto& [name, value] : t.parameters)
      if (name == "block")
        r.block = std::stoi(value);
      else if (std::ranges::any_of(a.parameters, [&](const Parameter& p) { return p.name == name; }))
        r.set.emplace_back(name, value);
    Problem p = make_problem(a, {.kernel = t.kernel, .n = 64, .block = r.block, .set = r.set});
    for (const LaunchedForm& form : a.forms(p))
      for (const TimelineLaunch& l : t.launches)
        if (l.name == form.launch) {
          const auto code = load_machine_code(folder / machine_code_file(form.key), form.key);
          ASSERT_TRUE(code);
          ++compared;
          alike += code->registers == l.untraced_registers;
        }
  }
  EXPECT_GE(compared, 24);
  EXPECT_GE(alike, compared - 4) << "but for kernels that were changed since";
}

}  // namespace
}  // namespace bscope
