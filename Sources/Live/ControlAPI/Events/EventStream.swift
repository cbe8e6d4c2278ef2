internal import Foundation
internal import HTTPTypes
internal import Hummingbird

/// Server-sent events (HTML §9.2): each device event as a message whose ID resumes the stream after it.
struct EventStream: Sendable {
    let journal: EventJournal
    var filter: EventJournal.Filter

    private static let batch = 100

    var response: Response {
        Response(
            status: .ok, headers: [.contentType: "text/event-stream"],
            body: ResponseBody { writer in
                try await send { text in try await writer.write(ByteBuffer(string: text)) }
                try await writer.finish(nil)
            })
    }

    /// Sends the kept and the new events until the journal ends the subscription or the client disconnects.
    private func send(_ write: (String) async throws -> Void) async throws {
        let subscription = journal.subscribe(to: filter.source)
        defer { journal.unsubscribe(subscription) }
        var place = filter
        try await write(": touchstone\n\n")
        try await catchUp(&place, write)
        for await _ in subscription.wakes {
            if try await !catchUp(&place, write) { try await write(":\n\n") }
        }
        try await catchUp(&place, write)
    }

    /// - Returns: whether there were events to send.
    @discardableResult
    private func catchUp(
        _ place: inout EventJournal.Filter, _ write: (String) async throws -> Void
    ) async throws -> Bool {
        var hasSent = false
        while true {
            let (records, missed, seen) = journal.read(place, limit: Self.batch)
            if missed > 0 {
                try await write("event: gap\ndata: {\"missed\":\(missed)}\n\n")
            }
            place.after = seen
            guard !records.isEmpty else { return hasSent }
            hasSent = true
            try await write(try records.map(Self.message).joined())
        }
    }

    private static func message(_ record: EventRecord) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return "id: \(record.id)\ndata: \(String(decoding: try encoder.encode(record), as: UTF8.self))\n\n"
    }
}
