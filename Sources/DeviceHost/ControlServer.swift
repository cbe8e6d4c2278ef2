internal import Foundation
internal import NIOCore
internal import NIOPosix

/// Takes commands for a running device on a Unix socket, one line of JSON at a time.
struct ControlServer: Sendable {
    typealias Handler = @Sendable (ControlRequest) async -> ControlResponse

    /// More than any command needs; a longer line is somebody else's protocol.
    private static let longestLine = 64 * 1024

    private let listener: NIOAsyncChannel<NIOAsyncChannel<ByteBuffer, ByteBuffer>, Never>
    private let path: String

    /// - Throws: ``DeviceHostError/nameTaken(_:)`` while a device of that name runs.
    static func checkName(_ name: String, in directory: ControlDirectory) async throws(DeviceHostError) {
        try directory.prepare()
        guard FileManager.default.fileExists(atPath: directory.socketPath(of: name)) else { return }
        let answered = try? await ControlClient(directory: directory).send(ControlRequest(.status), to: name)
        guard answered == nil else { throw .nameTaken(name) }
    }

    /// Opens the socket, in place of one a device that died left behind.
    static func listen(
        at path: String, name: String, directory: ControlDirectory
    ) async throws(DeviceHostError) -> ControlServer {
        try await checkName(name, in: directory)
        try? FileManager.default.removeItem(atPath: path)
        do {
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(unixDomainSocketPath: path) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                    }
                }
            return ControlServer(listener: listener, path: path)
        } catch {
            throw .cannotListen("the control socket \(path) cannot be opened: \(error)")
        }
    }

    /// Serves until the task is cancelled, then takes the socket away.
    func run(_ handler: @escaping Handler) async {
        try? await listener.executeThenClose { connections in
            await withDiscardingTaskGroup { group in
                do {
                    for try await connection in connections {
                        group.addTask { await Self.serve(connection, handler) }
                    }
                } catch {
                    // The listener is closing; open connections finish by themselves.
                }
            }
        }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Takes the socket away without ever having served.
    func close() async {
        try? await listener.channel.close()
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func serve(_ connection: NIOAsyncChannel<ByteBuffer, ByteBuffer>, _ handler: Handler) async {
        try? await connection.executeThenClose { inbound, outbound in
            var buffer: [UInt8] = []
            for try await chunk in inbound {
                buffer += Array(chunk.readableBytesView)
                guard buffer.count <= longestLine else { return }
                while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = Array(buffer[..<end])
                    buffer.removeSubrange(...end)
                    let answer = try JSONEncoder().encode(await response(to: line, handler))
                    try await outbound.write(ByteBuffer(bytes: answer + [UInt8(ascii: "\n")]))
                }
            }
        }
    }

    private static func response(to line: [UInt8], _ handler: Handler) async -> ControlResponse {
        guard let request = try? JSONDecoder().decode(ControlRequest.self, from: Data(line)) else {
            return ControlResponse(error: "the command is not understood")
        }
        return await handler(request)
    }
}
