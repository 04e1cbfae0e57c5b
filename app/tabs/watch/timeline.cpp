#include "app/tabs/watch/timeline.hpp"

#include <algorithm>
#include <cmath>

#include "app/draw/charts.hpp"
#include "app/draw/fitting.hpp"
#include "app/run/titles.hpp"
#include "app/tabs/watch/draw.hpp"
#include "app/words/counting.hpp"
#include "app/words/words.hpp"

namespace bscope {
namespace {

class Timeline {
 public:
  Timeline(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m, float w, float h,
           bool future)
      : future_(future),
        model_(model),
        theme_(t),
        pen_(picture_, m),
        block_(model.block(c)),
        track_(model.track(c)) {
    if (!future_) track_.steps.resize(size_t(track_.present) + 1);
    picture_.width = w, picture_.height = h;
  }

  Picture drawn() {
    layout();
    chapters();
    overview();
    phases();
    box_present();
    for (int k = first_; k < first_ + count_; ++k) {
      lanes(k);
      if (traffic_h_ > 0) traffic(k);
      pen_.hit({track_.by_block ? HitRegion::step : HitRegion::interval,
                {x_of(k), chapter_h_ + overview_h_ + px(2), pitch_,
                 picture_.height - chapter_h_ - overview_h_ - px(4)},
                track_.by_block ? step(k).flow_index : k,
                0,
                tip(k),
                "step:" + std::to_string(k)});
    }
    barriers();
    frame_present();
    return std::move(picture_);
  }

 private:
  float px(float v) const { return theme_.px(v); }
  const Step& step(int k) const { return *track_.steps[size_t(k)]; }
  int present() const { return track_.present; }
  static std::string by(const std::string& stride) { return tr("by {}", stride); }
  float x_of(int k) const { return left_ + pitch_ * float(k - first_); }

  void layout() {
    const bool many = model_.trace().launches.size() > 1 && !theme_.projector();
    const bool named = !theme_.projector() && picture_.width > px(600);
    const std::string names[] = {tr("launch"), track_.by_block ? tr("block") : tr("phase"),
                                 tr("threads working"),
                                 block_.sectors ? tr("sectors") : tr("wavefronts taken")};
    left_ = px(8);
    if (named) {
      float widest = 0;
      for (const std::string& name : names) widest = std::max(widest, pen_.width(name, theme_.label()));
      left_ += widest + px(12);
    }
    const float room = picture_.width - left_ - px(10);
    const int all = int(track_.steps.size());
    // hundreds of steps: as many as keep a few pixels each, around the present
    const int fit = std::max(1, int(room / px(6)));
    count_ = std::min(all, fit);
    first_ = std::clamp(present() - count_ / 2, 0, all - count_);
    pitch_ = std::min(room / float(count_), px(theme_.projector() ? 320 : 280));
    model_.prepare(std::span(track_.steps).subspan(size_t(first_), size_t(count_)));

    chapter_h_ = many ? px(22) : 0;
    overview_h_ = count_ < all ? px(10) : 0;
    const float inner = picture_.height - chapter_h_ - overview_h_ - px(16);
    traffic_h_ = theme_.projector() ? 0 : std::min(px(26), inner * 0.27f);
    phase_h_ = std::min(px(theme_.projector() ? 38 : 26), inner * 0.42f);
    phase_y_ = chapter_h_ + overview_h_ + px(8);
    const float rest = inner - phase_h_ - traffic_h_;
    lane_h_ = std::min(rest * 0.75f, px(theme_.projector() ? 30 : 24));
    lane_y_ = phase_y_ + phase_h_ + (rest - lane_h_) / 2;
    traffic_y_ = picture_.height - px(8) - traffic_h_;
    if (!named) return;
    const float middles[] = {px(4) + chapter_h_ / 2, phase_y_ + phase_h_ / 2, lane_y_ + lane_h_ / 2,
                             traffic_y_ + traffic_h_ / 2};
    for (size_t k = many ? 0 : 1; k < std::size(names); ++k)
      pen_.text({left_ - px(12), middles[k]}, names[k], theme_.label(), theme_.ink2, Font::text,
                Align::right);
    pen_.hit({.what = HitRegion::other,
              .box = {0, traffic_y_, left_ - px(8), traffic_h_},
              .tip = (block_.sectors
                          ? tr("A sector is 32 bytes of global memory: what one transaction moves.")
                          : tr("A wavefront is one turn of the shared memory's 32 banks; lanes that want "
                               "different words of one bank take extra turns.")) +
                     tr(" Blue: reads; orange: writes; purple: atomics; pink: more than would be "
                        "needed."),
              .name = "timeline:traffic"});
  }

  // The run's launches, side by side: the present one is spread out below.
  void chapters() {
    if (chapter_h_ == 0) return;
    const auto& launches = model_.trace().launches;
    const float size = px(theme_.size_label - 1), room = picture_.width - left_ - px(10);
    const int fit = std::max(1, int(room / px(30))), all = future_ ? int(launches.size()) : block_.launch + 1,
              count = std::min(all, fit);
    const int first = std::clamp(block_.launch - count / 2, 0, all - count);
    const float each = std::min(room / float(count), px(260)), h = chapter_h_ - px(4);
    for (int k = first; k < first + count; ++k) {
      const Box box{left_ + each * float(k - first) + px(1), px(6), each - px(2), h};
      const bool here = k == block_.launch;
      pen_.rect(box, here ? theme_.selected : theme_.panel, here ? theme_.ink2 : theme_.line, px(1), px(4));
      const Launch& launch = launches[size_t(k)];
      const std::string number = std::to_string(launch_number(k));
      draw({pen_, theme_},
           line({numbered(launch, number, "  "), number},
                {size, here ? theme_.ink : theme_.ink2, here ? Font::text_bold : Font::text, Align::centre}),
           {box.x + px(2), box.y, box.w - px(4), box.h});
      if (here) {
        // a tab: the steps below are this launch's, whatever stands over each of them
        const float y = box.bottom(), end = picture_.width - px(10);
        pen_.line({left_, y}, {box.x, y}, theme_.ink2, px(1));
        pen_.line({box.right(), y}, {end, y}, theme_.ink2, px(1));
        pen_.rect({box.x + px(1), y - px(1.5f), box.w - px(2), px(3)}, theme_.selected);
      }
      const auto block = model_.flow().of_block(k, 0);
      if (!block.empty())
        pen_.hit({HitRegion::step, box, int(block.data() - model_.flow().intervals.data()), 0,
                  is_between_launches(launch)
                      ? tr("What changed memory between launches. Click to go to it.")
                      : tr("Launch {0}, {1}: {2} steps of each block. Click to go to its first step.",
                           launch_number(k), translated(launch.name), block.size()),
                  "timeline:launch:" + std::to_string(k)});
    }
  }

  // Of more steps than there is room for: the part that is spread out, and where the present is.
  void overview() {
    if (overview_h_ == 0) return;
    const int all = int(track_.steps.size());
    const Box bar{left_, chapter_h_ + px(5), picture_.width - left_ - px(10), px(5)};
    const auto x_at = [&](float k) { return bar.x + bar.w * k / float(all); };
    pen_.rect(bar, mix(theme_.line, theme_.panel, 0.7f), 0, 1, px(2));
    const float x0 = x_at(float(first_)), x1 = x_at(float(first_ + count_));
    pen_.rect({x0, bar.y, std::max(x1 - x0, px(4)), bar.h}, theme_.ink3, 0, 1, px(2));
    pen_.rect({x_at(float(present()) + 0.5f) - px(1.5f), bar.y - px(2), px(3), bar.h + px(4)},
              theme_.dark() ? theme_.changed : theme_.ink);
    const int parts = std::min(all, 100);
    for (int p = 0; p < parts; ++p) {
      const int k = int((int64_t(2 * p + 1) * all) / (2 * parts));
      pen_.hit({HitRegion::step,
                {bar.x + bar.w * float(p) / float(parts), bar.y - px(3), bar.w / float(parts), px(11)},
                step(k).flow_index,
                0,
                tr("Step {} of {}. Click to go there.", step_number(k), all),
                "timeline:part:" + std::to_string(p)});
    }
  }

  void phases() {
    for (int k = first_, end; k < first_ + count_; k = end) {
      const Step& s = step(k);
      end = track_.by_block ? k + 1 : std::min(k - s.phase_number + 1 + s.phase_count, first_ + count_);
      const Box band{x_of(k) + px(1), phase_y_, pitch_ * float(end - k) - px(2), phase_h_};
      const Colour fill = theme_.phase(s.interval->phase);
      pen_.rect(band, fill, 0, 1, std::min(px(4), band.w / 4));
      phase(k, end, band, theme_.on(fill));
    }
  }

  /// The name in the first step's share of the band, so that no step's frame crosses it, and the strides of
  /// all its steps, as far as there is room.
  void phase(int first, int end, const Box& band, Colour ink) {
    const float stride_size = px(theme_.projector() ? 22 : 12), gap = px(6), size = theme_.label();
    const float between =
        theme_.projector() ? stride_size : px(10);  // strides, so that they are not one sentence
    const auto wide = [&](const std::string& s, float of) { return pen_.width(s, of, Font::text_bold); };
    std::string name =
        track_.by_block ? std::to_string(step(first).interval->block) : phase_name(model_, step(first));
    // a name that the first step has no room for is cut at its hyphen
    if (spoken() == Language::en && wide(name, size) > pitch_ - px(12)) name = name.substr(0, name.find('-'));
    std::vector<std::string> strides;
    bool strides_fit = end - first > 1;
    for (int k = first; k < end; ++k) {
      const int stride = step(k).stride();
      strides.push_back(!stride ? "" : k == first ? std::to_string(stride) : by(std::to_string(stride)));
      strides_fit = strides_fit && pen_.width(strides.back(), stride_size) <= pitch_ - between;
    }
    // those that begin at the right of `taken`
    const auto draw_strides = [&](int from, float y, float taken) {
      for (int k = from; k < end && strides_fit; ++k) {
        const std::string& words = strides[size_t(k - first)];
        if (x_of(k + 1) - gap - pen_.width(words, stride_size) >= taken)
          pen_.text({x_of(k + 1) - gap, k == first ? y : band.centre().y}, words, stride_size, ink,
                    Font::text, Align::right);
      }
    };
    const float share = pitch_ - gap * 2;
    const auto room_beside = [&](float name_w) {
      return name_w + pen_.width(strides[0], stride_size) + px(6) <= share;
    };
    const float whole = wide(name, size);
    if (strides_fit && room_beside(whole)) {
      pen_.text({band.x + gap, band.centre().y}, name, size, ink, Font::text_bold);
      return draw_strides(first, band.centre().y, 0);
    }
    // small, in one line or two
    const bool tried = !theme_.projector() && (end - first > 1 || whole > band.w - px(8));
    for (float small = px(11); small >= px(9) && tried; small -= px(1)) {
      const std::vector<std::string> lines = in_lines(pen_, name, share, small, Font::text_bold);
      if (lines.size() > 2 || phase_h_ < small * 2.1f || !all_fit(pen_, lines, share, small, Font::text_bold))
        continue;
      const float last = band.centre().y + float(lines.size() - 1) / 2 * small * 1.05f;
      for (size_t n = 0; n < lines.size(); ++n)
        pen_.text({band.x + gap, last - float(lines.size() - 1 - n) * small * 1.05f}, lines[n], small, ink,
                  Font::text_bold);
      return draw_strides(room_beside(wide(lines.back(), small)) ? first : first + 1, last, 0);
    }
    // over several steps, or in the middle of one: whole or not at all, for the tip has it
    if (whole > band.w - px(8)) return;
    if (end - first == 1)
      return void(pen_.text(band.centre(), name, size, ink, Font::text_bold, Align::centre));
    const Box at = pen_.text({band.x + gap, band.centre().y}, name, size, ink, Font::text_bold);
    draw_strides(first, band.centre().y, at.right() + gap);
  }

  void box_present() {
    pen_.rect({x_of(present()) + px(1), phase_y_ + phase_h_ + px(2), pitch_ - px(2),
               picture_.height - phase_y_ - phase_h_ - px(8)},
              theme_.selected);
  }
  void frame_present() {
    const float w = std::max(pitch_, px(6));
    const float top = chapter_h_ + overview_h_ + px(3);
    pen_.rect({x_of(present()) + pitch_ / 2 - w / 2, top, w, picture_.height - top - px(3)}, 0,
              theme_.dark() ? theme_.changed : theme_.ink, px(2.5f), px(4));
  }

  // Full strength up to now; the future's structure is known, its strength says that it is still to come.
  Colour in_time(Colour c, int k) const {
    return k <= present() ? c : mix(c, theme_.panel, theme_.dark() ? 0.6f : theme_.projector() ? 1.0f : 0.7f);
  }

  void lanes(int k) {
    const Step& s = step(k);
    const int threads = int(s.works.size());
    const float inset = std::min(px(5), pitch_ * 0.12f);
    const Box box{x_of(k) + inset, lane_y_, pitch_ - 2 * inset, lane_h_};
    const float lane_w = box.w / float(threads);
    if (lane_w >= px(3)) {
      const float gap = std::min(px(2), lane_w * 0.25f), w = std::min(lane_w, px(14));
      for (int t = 0; t < threads; ++t) {
        const Box lane{box.x + float(t) * w + gap / 2, box.y, w - gap, box.h};
        if (s.works[size_t(t)])
          pen_.rect(lane, in_time(theme_.thread, k), 0, 1, px(1));
        else
          pen_.rect(lane, 0, mix(theme_.idle, theme_.panel, 0.5f), px(1), px(1));
      }
    } else {
      // too many for marks: how large a part of them
      const float part = threads ? float(s.working) / float(threads) : 0;
      pen_.rect(box, 0, mix(theme_.idle, theme_.panel, 0.5f), px(1));
      const bool wide = box.w >= px(20);
      const Box full = wide ? Box{box.x, box.y, box.w * part, box.h}
                            : Box{box.x, box.y + box.h * (1 - part), box.w, box.h * part};
      if (part > 0) pen_.rect(full, in_time(theme_.thread, k));
    }
  }

  void traffic(int k) {
    const Traffic& t = step(k).traffic();
    if (!t.total()) return;
    const float size = px(theme_.size_label - 1), inset = std::min(px(5), pitch_ * 0.12f);
    Box row{x_of(k) + inset, traffic_y_, pitch_ - 2 * inset, traffic_h_};
    const auto at_right = [&](const std::string& words, Font f, Colour ink, float most) {
      const float w = pen_.width(words, size, f) + px(6);
      if (w > row.w * most) return;
      pen_.text({row.right(), row.centre().y}, words, size, ink, f, Align::right);
      row.w -= w;
    };
    at_right(std::to_string(t.total()), Font::mono_bold, k <= present() ? theme_.ink : theme_.ink3, 1);
    // what the row does not count: atomics on one address are served one after the other
    if (t.queue > 1)
      at_right(tr("queue of {}", t.queue), Font::text, k == present() ? theme_.ink : theme_.ink3, 0.6f);
    if (row.w > px(2))
      draw({pen_, theme_},
           tally({.parts = {{t.read, in_time(theme_.read, k)},
                            {t.write, in_time(theme_.write, k)},
                            {t.atomic, in_time(theme_.atomic, k)},
                            {t.extra, in_time(theme_.conflict, k)}},
                  .most = t.total()}),
           row);
  }

  void barriers() {
    if (pitch_ < px(10) || track_.by_block) return;
    for (int k = first_ + 1; k < first_ + count_; ++k) {
      const float x = x_of(k);
      const bool passed = k <= present();
      const float top = phase_y_ + phase_h_ + px(3), bottom = picture_.height - px(8);
      if (passed)
        pen_.line({x, top}, {x, bottom}, theme_.barrier, px(1.5f));
      else
        pen_.line({x, top}, {x, bottom}, theme_.ink3, px(1), px(3));
    }
  }

  std::string tip(int k) const {
    const Step& s = step(k);
    const std::string phase = phase_name(model_, s);
    std::string out = track_.by_block ? tr("Block {}, {}", s.interval->block, phase)
                                      : tr("Step {}, {}", step_number(k), phase);
    if (s.stride()) out += tr(", stride {}", s.stride());
    out += tr(": {} of {} threads work", s.working, s.works.size());
    const Traffic& t = s.traffic();
    if (t.total()) out += block_.sectors ? tr(", {} sectors", t.total()) : tr(", {} wavefronts", t.total());
    if (t.extra) out += tr(" ({} more than needed)", t.extra);
    if (t.queue > 1) out += tr(", {} atomics in a row on one cell", t.queue);
    return out + tr(".");
  }

  const bool future_;
  const RunQueries& model_;
  const Theme& theme_;
  Picture picture_;
  Pen pen_;
  const BlockSteps& block_;
  Track track_;
  float left_ = 0, pitch_ = 0;
  int first_ = 0, count_ = 0;
  float chapter_h_ = 0, overview_h_ = 0;
  float phase_y_ = 0, phase_h_ = 0, lane_y_ = 0, lane_h_ = 0, traffic_y_ = 0, traffic_h_ = 0;
};

}  // namespace

Picture timeline(const RunQueries& model, const Cursor& c, const Theme& t, const Metrics& m, float width,
                 float height, bool future) {
  if (!model.step(c)) return {width, height, {}, {}};
  return Timeline(model, c, t, m, width, height, future).drawn();
}

}  // namespace bscope
