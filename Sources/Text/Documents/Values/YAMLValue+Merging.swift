extension YAMLValue {
    /// This value merged over another.
    ///
    /// Mappings are merged key by key at every depth. Lists and scalars replace those of the base. A key with an empty
    /// value or `~` removes the base's value. Every value keeps its file and line.
    package func merged(over base: YAMLValue) -> YAMLValue {
        guard case .map(let own) = content, case .map(let inherited) = base.content else { return self }
        var entries: [Entry] = []
        for entry in inherited {
            guard let override = own.first(where: { $0.key == entry.key }) else {
                entries.append(entry)
                continue
            }
            guard !override.value.isEmpty else { continue }
            entries.append((entry.key, override.source, override.value.merged(over: entry.value)))
        }
        for entry in own where !entry.value.isEmpty && !inherited.contains(where: { $0.key == entry.key }) {
            entries.append(entry)
        }
        return YAMLValue(.map(entries), at: self)
    }

    /// The same mapping with another value for a key, or without the key.
    package func setting(_ key: String, to value: YAMLValue?) -> YAMLValue {
        guard case .map(var entries) = content else { return self }
        if let index = entries.firstIndex(where: { $0.key == key }) {
            if let value { entries[index].value = value } else { entries.remove(at: index) }
        } else if let value {
            entries.append((key, value.source, value))
        }
        return YAMLValue(.map(entries), at: self)
    }

    /// The value for a key of this mapping, empty or not; nil for a missing key.
    package func written(under key: String) -> YAMLValue? {
        guard case .map(let entries) = content else { return nil }
        return entries.first { $0.key == key }?.value
    }

    /// Whether this mapping replaces the base's value at a path such as `sensor.class`: it has a scalar, a list or an
    /// empty value at the path or above it.
    package func replaces(_ path: some StringProtocol) -> Bool {
        var place = self
        for key in path.split(separator: ".") {
            guard let next = place.written(under: String(key)) else { return false }
            guard next.isMapping else { return true }
            place = next
        }
        return false
    }
}
