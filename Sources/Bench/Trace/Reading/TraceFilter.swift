/// Which records of a trace are wanted.
package struct TraceFilter: Hashable, Sendable {
    /// The records of this device only.
    package var device: String?
    /// Only exchanges that were refused or had no answer, with all that happened in them.
    package var onlyRefused: Bool

    package init(device: String? = nil, onlyRefused: Bool = false) {
        self.device = device
        self.onlyRefused = onlyRefused
    }

    /// The records wanted, in order; what a device is always belongs to them.
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
    /// Whether it ends an exchange without success.
    package var isRefusal: Bool {
        switch content {
        case .response(let response): response.isRefusal
        case .failure: true
        default: false
        }
    }
}
