/// The channels a device has allocated; a full table drops the least recently used one.
struct ChannelTable: Sendable {
    private let limit: Int
    private var lastUse: [CTAPHIDChannel: UInt64] = [:]
    private var uses: UInt64 = 0
    private var lastGivenOut: UInt32 = 0

    /// Creates an empty table of at least two channels, so that a new client cannot displace the one being served.
    init(limit: Int) { self.limit = max(2, limit) }

    var count: Int { lastUse.count }

    func contains(_ channel: CTAPHIDChannel) -> Bool { lastUse[channel] != nil }

    mutating func touch(_ channel: CTAPHIDChannel) {
        guard contains(channel) else { return }
        uses += 1
        lastUse[channel] = uses
    }

    /// Allocates an unused channel; a full table drops the least recently used channel that is not in `occupied`.
    mutating func allocate(except occupied: [CTAPHIDChannel]) -> CTAPHIDChannel {
        if lastUse.count >= limit {
            let idle = lastUse.filter { !occupied.contains($0.key) }
            if let oldest = idle.min(by: { $0.value < $1.value }) {
                lastUse[oldest.key] = nil
            }
        }
        var channel: CTAPHIDChannel
        repeat {
            lastGivenOut &+= 1
            channel = CTAPHIDChannel(rawValue: lastGivenOut)
        } while channel == .reserved || channel == .broadcast || contains(channel)
        uses += 1
        lastUse[channel] = uses
        return channel
    }
}
