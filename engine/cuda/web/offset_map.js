/// Where code of the narrowed module comes from. Pieces that were copied map byte by byte; what was written in the place of
/// an instruction maps to it as a whole.
export class OffsetMap {
  constructor() {
    this.places = [];
    this.originals = [];  // of written pieces: -1 - offset
  }
  add(place, original) {
    this.places.push(place);
    this.originals.push(original);
  }
  addCopy(place, original) { this.add(place, original); }
  addWritten(place, original) { this.add(place, -1 - original); }
  /// Functions that the pass has added come from nowhere.
  addOwn(place) { this.add(place, NaN); }
  append(map, by) {
    for (let k = 0; k < map.places.length; ++k) this.add(map.places[k] + by, map.originals[k]);
  }
  /// The offset in the original's code section (which is what DWARF counts from) of the instruction at an offset of the
  /// narrowed module, or -1.
  original(offset) {
    let low = 0, high = this.places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.places[middle] <= offset) low = middle + 1; else high = middle;
    }
    if (low === 0) return -1;
    const original = this.originals[low - 1];
    if (Number.isNaN(original)) return -1;
    return original < 0 ? -1 - original : original + offset - this.places[low - 1];
  }
}
