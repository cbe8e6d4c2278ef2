import DeviceHost
import Foundation
import NIOCore
import NIOPosix

@testable import DeviceHost

/// A test's own socket directory, with a plain client.
struct TestSocket: Sendable {
    let directory: DeviceSocketDirectory
    var path: String { directory.path + "/device.sock" }

    /// Makes a directory for as long as `use` needs it.
    static func run(_ use: (TestSocket) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "host-\(UUID().uuidString.prefix(8))").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await use(TestSocket(directory: DeviceSocketDirectory(path: path)))
    }

    /// Serves commands under the name `device` for as long as `use` does something.
    func served(
        _ handler: @escaping DeviceSocketServer.Handler = { _ in DeviceSocketResponse() },
        _ use: (Task<Void, Never>) async throws -> Void
    ) async throws {
        let server = try await DeviceSocketServer.listen(as: "device", in: directory)
        let run = Task { await server.run(handler) }
        let result: Result<Void, any Error>
        do {
            result = .success(try await use(run))
        } catch {
            result = .failure(error)
        }
        run.cancel()
        await run.value
        try result.get()
    }

    /// Connects, and sends and reads in `use`.
    func connect<Result: Sendable>(
        _ use:
            @Sendable (
                inout NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator, NIOAsyncChannelOutboundWriter<ByteBuffer>
            ) async throws -> Result
    ) async throws -> Result {
        let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(unixDomainSocketPath: path) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            var chunks = inbound.makeAsyncIterator()
            return try await use(&chunks, outbound)
        }
    }
}

extension NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator {
    /// Reads this many lines; fewer if the connection ends.
    mutating func lines(_ count: Int = .max) async -> [String] {
        var text = ""
        // A reset is an end, too.
        while text.count(where: { $0 == "\n" }) < count, let chunk = (try? await next()) ?? nil {
            text += String(buffer: chunk)
        }
        return text.split(separator: "\n").map(String.init)
    }
}
