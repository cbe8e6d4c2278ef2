/// The channels a device has given out, with the one unused for longest making room when the table is full.
struct ChannelTable: Sendable {
    private let limit: Int
    private var lastUse: [CTAPHIDChannel: UInt64] = [:]
    private var uses: UInt64 = 0
    private var lastGivenOut: UInt32 = 0

    /// Creates an empty table; fewer than two channels would let a newcomer push out the client being served.
    init(limit: Int) {
        self.limit = max(2, limit)
    }

    var count: Int { lastUse.count }

    func contains(_ channel: CTAPHIDChannel) -> Bool {
        lastUse[channel] != nil
    }

    /// Notes that a channel is in use; channels that were not given out are not remembered.
    mutating func touch(_ channel: CTAPHIDChannel) {
        guard contains(channel) else { return }
        uses += 1
        lastUse[channel] = uses
    }

    /// Gives out a channel no other client holds, sparing `occupied` when one has to go.
    mutating func allocate(sparing occupied: [CTAPHIDChannel]) -> CTAPHIDChannel {
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
