/// A selection of a trace's records.
package struct TraceFilter: Hashable, Sendable {
    /// The device whose records are selected; nil for all devices.
    package var device: String?
    /// Whether only exchanges that were refused or had no answer are selected.
    package var onlyRefused: Bool

    package init(device: String? = nil, onlyRefused: Bool = false) {
        self.device = device
        self.onlyRefused = onlyRefused
    }

    /// The selected records, in order, with the descriptions of their devices.
    package func apply(to records: [TraceRecord]) -> [TraceRecord] {
        let records = records.filter { device == nil || $0.device == device }
        guard onlyRefused else { return records }
        let refused = Set(records.filter(\.isRefusal).compactMap(\.exchange))
        return records.filter { record in
            if case .device = record.content { return true }
            return record.exchange.map(refused.contains) ?? false
        }
    }
}

extension TraceRecord {
    package var isRefusal: Bool {
        switch content {
        case .response(let response): response.isRefusal
        case .failure: true
        default: false
        }
    }
}
