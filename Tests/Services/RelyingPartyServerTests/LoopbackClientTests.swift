import Foundation
import LoopbackHTTP
import RelyingPartyServer
import Testing

/// The client that scenarios and benchmarks use.
@Suite struct LoopbackClientTests {
    @Test("A connection is used again, also after the server was restarted")
    func restart() async throws {
        var configuration = RelyingPartyConfiguration()
        let first = try await RelyingPartyServer.start(configuration)
        configuration.port = first.port
        let client = LoopbackClient(port: first.port)
        for _ in 0..<3 { #expect(try await client.send("GET", "/healthz").status == 200) }
        await first.stop()
        await #expect(throws: LoopbackClientError.self) { try await client.send("GET", "/healthz") }
        let second = try await RelyingPartyServer.start(configuration)
        let answer = try await client.send("GET", "/healthz")
        #expect(answer.status == 200)
        #expect(String(decoding: answer.body, as: UTF8.self).contains("ok"))
        await client.close()
        await second.stop()
    }

    @Test("Requests at the same time each get their own response")
    func parallel() async throws {
        let server = try await RelyingPartyServer.start()
        let client = LoopbackClient(port: server.port)
        let statuses = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for number in 0..<40 {
                group.addTask {
                    let path = number.isMultiple(of: 2) ? "/healthz" : "/missing"
                    return (number, try await client.send("GET", path).status)
                }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1.0] = $1.1 }
        }
        for (number, status) in statuses { #expect(status == (number.isMultiple(of: 2) ? 200 : 404)) }
        #expect(statuses.count == 40)
        await server.stop()
    }
}
