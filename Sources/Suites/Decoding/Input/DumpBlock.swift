internal import Wording

/// The rows of one dump: their bytes, checked against their offsets and the announced length.
struct DumpBlock {
    let line: Int
    /// The bytes before the first damage.
    private(set) var bytes: [UInt8] = []
    private(set) var problems: [DecodingProblem] = []
    private(set) var hasOffsets = false
    private(set) var isSwapped = false
    /// The place in the dump after the last row; nil after a row that cannot be read.
    private var position: Int? = 0
    /// The first offset in each base that every offset fits: libfido2's are decimal, od's may be octal.
    private var origins: [Int: Int]?
    private var lastRow: [UInt8] = []
    /// Whether rows like the last one are left out, which hexdump and xxd mark with `*`.
    private var repeats = false
    private var isCut = false
    /// The most bytes up to which rows are repeated, more than any message has.
    private static let longestRepetition = 1 << 14

    init(line: Int) { self.line = line }

    mutating func add(_ row: DumpRow, line: Int) {
        if let offset = row.offset { reach(offset, "line \(line) begins at offset \(offset)") }
        append(row.bytes)
        (lastRow, isSwapped) = (row.bytes, row.isSwapped)
    }

    mutating func add(_ damage: HexDamage, _ row: DumpRow, line: Int) {
        problems.append(.damage("line \(line) cannot be read: \(damage.reason)"))
        if let offset = row.offset { reach(offset, "line \(line) begins at offset \(offset)") }
        append(row.bytes)
        (isCut, position) = (true, nil)
    }

    /// Takes a line that belongs to a dump without bytes: the mark of repeated rows, or the offset of the end.
    mutating func takes(_ line: Substring, number: Int) -> Bool {
        guard hasOffsets else { return false }
        let text = line.trimmed
        if text == "*" {
            repeats = true
            return true
        }
        guard (6...8).contains(text.count), text.allSatisfy(HexDamage.isDigit), let origins else { return false }
        if isSwapped, !isCut, !bytes.isEmpty, let position,
            origins.contains(where: { Int(text, radix: $0.key) == $0.value + position - 1 })
        {
            // The last number of 16 bits has one byte.
            bytes.removeLast()
            self.position = position - 1
        }
        reach(text, "the dump ends at offset \(text) in line \(number)")
        return true
    }

    /// Compares the number of bytes with the one that a line before the dump announces.
    mutating func check(announced: Int, line: Int) {
        guard !isCut, announced != bytes.count else { return }
        let verb = bytes.count == 1 ? "follows" : "follow"
        problems.append(
            .damage(
                "line \(line) announces " + Wording.counted(announced, "byte") + ", and \(bytes.count) \(verb)"))
    }

    private mutating func append(_ row: [UInt8]) {
        position = position.map { $0 + row.count }
        if !isCut { bytes += row }
    }

    /// Compares an offset with the bytes before it.
    private mutating func reach(_ offset: Substring, _ place: String) {
        hasOffsets = true
        let values = [16, 10, 8].compactMap { base in Int(offset, radix: base).map { (base: base, value: $0) } }
        guard let origins, let position else {
            let known = origins ?? Dictionary(uniqueKeysWithValues: values.map { ($0.base, $0.value) })
            self.origins = known
            // After a damaged row the offset alone tells the place.
            if position == nil {
                self.position = values.first { known[$0.base] != nil }.map { $0.value - (known[$0.base] ?? 0) }
            }
            return
        }
        let fitting = values.filter { item in origins[item.base].map { item.value - $0 } == position }
        if !fitting.isEmpty {
            self.origins = origins.filter { origin in fitting.contains { $0.base == origin.key } }
            return
        }
        let reached = values.filter { origins[$0.base] != nil }.map { $0.value - (origins[$0.base] ?? 0) }
        if repeats, !lastRow.isEmpty, let end = reached.first(where: { ($0 - position).isMultiple(of: lastRow.count) }),
            end > position, end < Self.longestRepetition
        {
            while let now = self.position, now < end { append(lastRow) }
            repeats = false
            return
        }
        if !isCut {
            problems.append(.damage("\(place), but the rows before it have " + Wording.counted(position, "byte")))
        }
        isCut = true
        self.position = reached.first
    }
}
