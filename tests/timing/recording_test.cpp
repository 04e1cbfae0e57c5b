#include "engine/timing/recording.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "engine/trace/file.hpp"

namespace bscope {
namespace {

Recording example() {
  Recording run{"A GPU \"X\"", "driver 1", "2025-01-31T12:00:00Z", 2000, 2200, 3000, {}};
  Record r;
  r.kernel = "scan/blelloch";
  r.parameters = {{"block", "256"}, {"scan", "exclusive"}};
  r.n = 1 << 20;
  r.type = "int32";
  r.samples = {2e-5, 1e-5, 3e-5};
  r.bytes = bytes_to_move("scan", r.n, r.type);
  r.correct = true;
  complete(r, run);
  run.records = {r};
  return run;
}

std::string sentence_of(const std::string& text) {
  try {
    read_recording(text, "f.json");
  } catch (const BadFile& e) { return e.what(); }
  return {};
}

TEST(Recording, GigabytesAre1e9) {
  const Record r = example().records[0];
  EXPECT_EQ(r.bytes, 8.0 * (1 << 20));
  EXPECT_DOUBLE_EQ(r.gb_per_s, 8.0 * (1 << 20) / 2e-5 / 1e9);
  EXPECT_DOUBLE_EQ(r.of_copy, r.gb_per_s / 2000);
  EXPECT_DOUBLE_EQ(r.of_peak, r.gb_per_s / 3000);
  EXPECT_EQ(bytes_to_move("reduce", 10, "double"), 80);
  EXPECT_EQ(bytes_to_move("histogram", 10, "uint8"), 10);
}

TEST(Recording, ReadsBackWhatItWrote) {
  const std::string text = to_json(example());
  const Recording back = read_recording(text, "f.json");
  EXPECT_EQ(to_json(back), text);
  EXPECT_EQ(back.device, "A GPU \"X\"");
  EXPECT_EQ(back.records.at(0).parameters.at("scan"), "exclusive");
  EXPECT_EQ(back.records[0].samples.size(), 3u);
  EXPECT_EQ(back.records[0].seconds.median, 2e-5);
  EXPECT_TRUE(back.records[0].correct);
}

Recording full_recording() {
  Recording run = example();
  run.clock_mhz = 1980;
  run.memory_clock_mhz = 2619;
  run.notes = {"scan/a, N = 2^30 is left out: too large", "the GPU slowed down, \"hot\""};
  Record& r = run.records[0];
  r.warm_samples = {1e-5, 1.5e-5, 0.9e-5, 1.1e-5};
  complete(r, run);
  r.cycles_per_block = 5120;
  r.clock_mhz = 1755;
  r.throttled = true;
  r.gpus = 4;
  return run;
}
void expect_full(const Recording& back) {
  const Recording run = full_recording();
  EXPECT_EQ(back.clock_mhz, run.clock_mhz);
  EXPECT_EQ(back.memory_clock_mhz, run.memory_clock_mhz);
  EXPECT_EQ(back.notes, run.notes);
  const Record &r = back.records.at(0), &was = run.records[0];
  EXPECT_NEAR(r.warm.median, was.warm.median, 1e-8);
  EXPECT_NEAR(r.warm.least, was.warm.least, 1e-8);
  EXPECT_NEAR(r.warm.most, was.warm.most, 1e-8);
  EXPECT_NEAR(r.warm.noise, was.warm.noise, 1e-4);
  EXPECT_EQ(r.cycles_per_block, was.cycles_per_block);
  EXPECT_EQ(r.clock_mhz, was.clock_mhz);
  EXPECT_TRUE(r.throttled);
  EXPECT_EQ(r.gpus, 4);
}

TEST(Recording, BothFormatsCarryClocksWarmRunsAndNotes) {
  const std::string json = to_json(full_recording());
  const Recording back = read_recording(json, "f.json");
  EXPECT_EQ(to_json(back), json);
  expect_full(back);
  EXPECT_EQ(back.records[0].warm_samples.size(), 4u);
  const std::string csv = to_csv(full_recording());
  const auto from_csv = read_csv(csv, "f.csv");
  expect_full(from_csv.at(0));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2) << "a note is no line of its own";
}

TEST(Recording, OlderFilesAreReadAsBefore) {
  std::string text = to_json(full_recording());
  const auto drop = [&](const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.erase(at, text.find(to, at) - at);
  };
  drop(",\"clock_mhz\"", ",\"records\"");
  drop(",\"warm_samples\"", "}\n]");
  const Recording back = read_recording(text, "old.json");
  EXPECT_EQ(back.clock_mhz, 0);
  EXPECT_TRUE(back.notes.empty());
  EXPECT_EQ(back.records.at(0).warm.median, 0);
  EXPECT_FALSE(back.records[0].throttled);
  EXPECT_EQ(back.records[0].gpus, 1);
}

TEST(Recording, RatiosHaveTheSpreadOfBoth) {
  Record a, b;
  a.gb_per_s = 3;
  b.gb_per_s = 2;
  a.samples = {1, 2, 3, 4};  // the quartiles lie as far apart as the median is long
  b.samples = {5, 5, 5};
  const Ratio r = times_as_fast(a, b);
  EXPECT_DOUBLE_EQ(r.value, 1.5);
  EXPECT_DOUBLE_EQ(r.spread, 0.75);
  EXPECT_EQ(times_as_fast(a, {}).value, 0);
}

TEST(Recording, UnknownIsNull) {
  Recording run = example();
  run.peak_gb_per_s = run.read_gb_per_s = run.records[0].of_peak = 0;
  const std::string text = to_json(run);
  EXPECT_NE(text.find("\"peak_gb_per_s\":null"), std::string::npos);
  EXPECT_EQ(read_recording(text, "f.json").peak_gb_per_s, 0);
}

TEST(Recording, FamiliesOfReferences) {
  Record r;
  for (const char* name : {"scan/blelloch", "cub/scan", "serial/scan", "tbb/scan"}) {
    r.kernel = name;
    EXPECT_EQ(r.family(), "scan");
  }
}

TEST(Recording, BadFilesAreOneSentence) {
  const std::string good = to_json(example());
  for (size_t length = 0; length + 2 < good.size(); length += 7)
    EXPECT_NE(sentence_of(good.substr(0, length)), "") << length;
  for (std::string bad : {"", "null", "[]", "{}", "{\"format\":1}", "{\"format\":\"barrierscope.list/1\"}"}) {
    const std::string s = sentence_of(bad);
    EXPECT_NE(s.find("f.json"), std::string::npos) << bad;
    EXPECT_EQ(s.find('\n'), std::string::npos);
  }
  const auto replaced = [&](std::string what, std::string by) {
    std::string text = good;
    text.replace(text.find(what), what.size(), by);
    return sentence_of(text);
  };
  EXPECT_NE(replaced("\"n\":1048576", "\"n\":-1").find("\"records.0.n\" is not a number from 1 to 1e+15"),
            std::string::npos);
  EXPECT_NE(replaced("\"n\":1048576", "\"n\":\"many\""), "");
  EXPECT_NE(replaced("\"samples\":[", "\"samples\":[1e999,"), "");
  EXPECT_NE(replaced("\"correct\":true", "\"correct\":1"), "");
  EXPECT_NE(replaced("\"gpus\":1", "\"gpus\":0"), "");
  EXPECT_NE(replaced("\"throttled\":false", "\"throttled\":0"), "");
  EXPECT_NE(replaced("\"notes\":[]", "\"notes\":[3]"), "");
  EXPECT_NE(replaced("\"warm_samples\":[]", "\"warm_samples\":[-1]"), "");
  EXPECT_NE(sentence_of(std::string(100000, '[')), "");
}

TEST(Recording, CsvHasALineARecord) {
  const std::string text = to_csv(example());
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2);
  EXPECT_NE(text.find("\"A GPU \"\"X\"\"\""), std::string::npos);
  EXPECT_NE(text.find("\"scan/blelloch\",\"block=256 scan=exclusive\",1048576,\"int32\",3,2e-05"),
            std::string::npos);
}

TEST(Recording, CsvReadsBack) {
  Recording one{"A \"GPU\", big", "driver 5", "2025-01-02T03:04:05Z", 4000, 0, 4800, {}};
  Record r;
  r.kernel = "reduce/shared";
  r.parameters = {{"block", "256"}, {"unroll", "8"}};
  r.n = 1 << 20;
  r.type = "int32";
  r.samples = {1e-3, 2e-3, 3e-3};
  r.bytes = 4 << 20;
  r.correct = true;
  complete(r, one);
  one.records = {r, r};
  one.records[1].correct = false;
  Recording two = one;
  two.device = "A CPU";
  two.peak_gb_per_s = 0;
  const auto back = read_csv(to_csv(std::vector{one, two}), "x.csv");
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].device, one.device);
  EXPECT_EQ(back[1].device, "A CPU");
  EXPECT_EQ(back[1].peak_gb_per_s, 0);
  ASSERT_EQ(back[0].records.size(), 2u);
  EXPECT_EQ(back[0].records[0].parameters, r.parameters);
  EXPECT_EQ(back[0].records[0].n, r.n);
  EXPECT_DOUBLE_EQ(back[0].records[0].seconds.median, 2e-3);
  EXPECT_NEAR(back[0].records[0].gb_per_s, r.gb_per_s, 1e-4);
  EXPECT_TRUE(back[0].records[0].correct);
  EXPECT_FALSE(back[0].records[1].correct);
  // columns in any order, others passed over, a byte order mark and CRLF as spreadsheets write them
  const auto other = read_csv(
      "\xef\xbb\xbfmine,correct,of_peak,of_copy,gb_per_s,bytes,noise,max_s,min_s,median_s,type,n,parameters,"
      "kernel,"
      "peak_gb_per_s,read_gb_per_s,copy_gb_per_s,date,driver,device\r\n"
      "x,true,,,1,2,0,3,3,3,int32,4,\"block=8\",scan/a,,,,d,e,f\r\n",
      "x.csv");
  ASSERT_EQ(other.size(), 1u);
  EXPECT_EQ(other[0].device, "f");
  EXPECT_EQ(other[0].records[0].parameters.at("block"), "8");
}

TEST(Recording, BadCsvIsOneSentence) {
  const auto why = [](const std::string& text) -> std::string {
    try {
      read_csv(text, "x.csv");
    } catch (const BadFile& e) { return e.what(); }
    return "";
  };
  EXPECT_NE(why("").find("has no column \"device\""), std::string::npos);
  // as files were before they had what came later
  const std::string good =
      "device,driver,date,copy_gb_per_s,read_gb_per_s,peak_gb_per_s,kernel,parameters,n,type,samples,"
      "median_s,min_s,max_s,noise,bytes,gb_per_s,of_copy,of_peak,correct\n";
  EXPECT_EQ(why(good + "d,e,f,1,1,1,scan/a,,8,int32,3,1,1,1,0,8,1,,,true\n"), "");
  EXPECT_NE(why(to_csv(Recording{})).find("holds no record"), std::string::npos);
  EXPECT_NE(why(good + "a,b\n").find("line 2 has fewer fields"), std::string::npos);
  EXPECT_NE(why(good + "d,e,f,1,1,1,scan/a,,many,int32,3,1,1,1,0,8,1,,,true\n").find("\"n\""),
            std::string::npos);
  EXPECT_NE(why(good + "d,e,f,1,1,1,scan/a,,8,int32,3,-1,1,1,0,8,1,,,true\n").find("\"median_s\""),
            std::string::npos);
  EXPECT_NE(why(good + "d,e,f,1,1,1,scan/a,,8,int32,3,1,1,1,0,8,1,,,yes\n").find("\"correct\""),
            std::string::npos);
}

TEST(Recording, SeveralFilesOrOne) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "several-recordings";
  std::filesystem::create_directories(folder);
  const std::vector<Recording> all{{"A", "1", "2025", 0, 0, 0, {}}, {"B", "1", "2025", 0, 0, 0, {}}};
  EXPECT_EQ(save_recordings(all, folder / "x.csv").size(), 1u);
  const auto files = save_recordings(all, folder / "x.json");
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[1].filename(), "x-2.json");
  EXPECT_EQ(load_recording(files[1]).device, "B");
  std::filesystem::remove_all(folder);
}

TEST(Recording, FilesAreWholeOrNotThere) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("bscope_recording_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  save_recording(example(), folder / "good.json");
  EXPECT_EQ(to_json(load_recording(folder / "good.json")), to_json(example()));
  std::ofstream(folder / "bad.json") << "{";
  std::vector<std::string> complaints;
  EXPECT_EQ(recordings_in(folder, &complaints).size(), 1u) << "one bad file hides no good one";
  ASSERT_EQ(complaints.size(), 1u);
  EXPECT_NE(complaints[0].find("bad.json"), std::string::npos);
  EXPECT_THROW(load_recording(folder / "none.json"), BadFile);
  EXPECT_THROW(load_recording(folder), BadFile);
  EXPECT_THROW(save_recording(example(), folder / "x.txt"), UsageError);
  EXPECT_THROW(save_recording(example(), folder / "none/x.json"), SystemError);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2)
      << "nothing half written is left";
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace bscope
