extension CBOR {
    /// A CBOR map that remembers the order its entries were given in.
    ///
    /// CTAP2 maps hold a handful of entries, so look-up is linear. Encoding sorts the entries into canonical order by
    /// default; equality ignores the order.
    public struct Map: Sendable {
        /// One entry.
        public typealias Element = (key: Value, value: Value)

        /// A stored entry; arrays of tuples look their type up at run time for every map.
        struct Entry: Sendable {
            var key: Value
            var value: Value
        }

        private var entries: [Entry] = []
        /// Whether the entries are known to stand in canonical order, where no key can be twice.
        private var isCanonical = true

        /// An empty map.
        public init() {}

        package init(minimumCapacity: Int) { entries.reserveCapacity(minimumCapacity) }

        /// A map with exactly these entries, repeated keys included: only for deliberately invalid CBOR.
        public init(uncheckedEntries entries: [Element]) {
            self.entries = entries.map { Entry(key: $0.key, value: $0.value) }
            isCanonical = false
        }

        /// The value under a key; setting `nil` removes the entry.
        public subscript(key: Value) -> Value? {
            get { index(of: key).map { entries[$0].value } }
            set { set(newValue, key: key, at: index(of: key)) }
        }

        private func index(of key: Value) -> Int? {
            switch key {
            case .unsigned(let number):
                entries.firstIndex { if case .unsigned(number) = $0.key { true } else { false } }
            case .negative(let number):
                entries.firstIndex { if case .negative(number) = $0.key { true } else { false } }
            case .text(let text): index(of: text)
            default: entries.firstIndex { $0.key == key }
            }
        }

        private mutating func set(_ newValue: Value?, key: @autoclosure () -> Value, at index: Int?) {
            switch (index, newValue) {
            case (let index?, let value?): entries[index].value = value
            case (let index?, nil): entries.remove(at: index)
            case (nil, let value?): append(key(), value)
            case (nil, nil): break
            }
        }

        /// The place of an integer key, without making an item to compare with.
        private func index(of key: Int) -> Int? {
            for index in entries.indices {
                switch entries[index].key {
                case .unsigned(let number) where key >= 0 && number == UInt64(key): return index
                case .negative(let number) where key < 0 && number == UInt64(-1 - key): return index
                default: continue
                }
            }
            return nil
        }

        private func index(of key: String) -> Int? {
            for index in entries.indices {
                if case .text(let text) = entries[index].key, text.hasBytes(of: key) { return index }
            }
            return nil
        }

        /// The value under an integer key.
        public subscript(key: Int) -> Value? {
            get { index(of: key).map { entries[$0].value } }
            set { set(newValue, key: .integer(key), at: index(of: key)) }
        }

        /// The value under a text key.
        public subscript(key: String) -> Value? {
            get { index(of: key).map { entries[$0].value } }
            set { set(newValue, key: .text(key), at: index(of: key)) }
        }

        /// Adds an entry whose key the caller knows to be new.
        package mutating func append(_ key: Value, _ value: Value) {
            if isCanonical, let last = entries.last { isCanonical = CBOR.canonicallyPrecedes(last.key, key) }
            entries.append(Entry(key: key, value: value))
        }

        /// Adds an entry whose key the caller knows to be the next in canonical order.
        mutating func append(next key: Value, _ value: Value) { entries.append(Entry(key: key, value: value)) }

        var lastKey: Value? { entries.last?.key }

        /// Adds an entry, or replaces the one its key has; the next in canonical order needs no search.
        fileprivate mutating func put(_ key: Value, _ value: Value) {
            if isCanonical, entries.last.map({ CBOR.canonicallyPrecedes($0.key, key) }) ?? true {
                entries.append(Entry(key: key, value: value))
            } else {
                self[key] = value
            }
        }

        var givenEntries: [Entry] { entries }

        /// The entries in canonical order, which those of most maps already are in.
        var canonicalEntries: [Entry] {
            isCanonical ? entries : entries.sorted { CBOR.canonicallyPrecedes($0.key, $1.key) }
        }

        /// The keys, in order.
        public var keys: [Value] { entries.map(\.key) }
    }
}

extension CBOR.Map: RandomAccessCollection {
    /// The position of the first entry: 0.
    public var startIndex: Int { 0 }
    /// The position after the last entry.
    public var endIndex: Int { entries.count }
    /// The entry at a position, in the order given.
    public subscript(position: Int) -> Element { (entries[position].key, entries[position].value) }
}

extension CBOR.Map: Hashable {
    /// Whether two maps have the same entries, in any order.
    public static func == (left: CBOR.Map, right: CBOR.Map) -> Bool {
        guard left.count == right.count else { return false }
        return left.allSatisfy { right[$0.key] == $0.value }
    }

    /// Hashes the keys, independent of their order.
    public func hash(into hasher: inout Hasher) { hasher.combine(entries.reduce(0) { $0 ^ $1.key.hashValue }) }
}

extension CBOR.Map: ExpressibleByDictionaryLiteral {
    /// A map with these entries, in this order.
    public init(dictionaryLiteral elements: (CBOR.Value, CBOR.Value)...) { self.init(elements) }

    /// A map with these entries; if a key occurs twice, the later entry is used.
    init(_ elements: [(CBOR.Value, CBOR.Value)]) {
        self.init(minimumCapacity: elements.count)
        for (key, value) in elements { put(key, value) }
    }
}

extension String {
    /// Whether two strings have the same bytes, which equal strings need not have.
    ///
    /// The length and Swift's comparison, which is fast for short strings, tell most strings apart.
    fileprivate func hasBytes(of other: String) -> Bool {
        guard utf8.count == other.utf8.count, self == other else { return false }
        let isSame = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { left.elementsEqual($0) }
        }
        return isSame.flatMap(\.self) ?? utf8.elementsEqual(other.utf8)
    }
}
