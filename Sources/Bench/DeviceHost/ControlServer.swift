internal import Foundation
internal import NIOCore
internal import NIOPosix

/// Takes commands for a running device on a Unix socket, one line of JSON at a time.
struct ControlServer: Sendable {
    typealias Handler = @Sendable (ControlRequest) async -> ControlResponse

    private let listener: NIOAsyncChannel<ControlConnection, Never>
    private let path: String

    /// - Throws: ``DeviceHostError/nameTaken(_:)`` while a device of that name runs, ``DeviceHostError/invalidName(_:)``.
    static func checkName(_ name: String, in directory: ControlDirectory) async throws(DeviceHostError) {
        let path = try directory.socketPath(of: name)
        try directory.prepare()
        guard FileManager.default.fileExists(atPath: path) else { return }
        let answered = try? await ControlClient(directory: directory).send(ControlRequest(.status), to: name)
        guard answered == nil else { throw .nameTaken(name) }
    }

    /// Opens a device's socket, in place of one that a device which died left behind.
    static func listen(as name: String, in directory: ControlDirectory) async throws(DeviceHostError) -> ControlServer {
        try await checkName(name, in: directory)
        let path = try directory.socketPath(of: name)
        do {
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelOption(.autoRead, value: false)
                .childChannelOption(.maxMessagesPerRead, value: 1)
                .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true) { channel in
                    channel.eventLoop.makeCompletedFuture { try ControlConnection(taking: channel) }
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
                        group.addTask { await connection.serve { try await Self.answer(to: $0, handler) } }
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

    private static func answer(to line: [UInt8], _ handler: Handler) async throws -> [UInt8] {
        let response =
            if let request = try? JSONDecoder().decode(ControlRequest.self, from: Data(line)) {
                await handler(request)
            } else {
                ControlResponse(error: "the command is not understood")
            }
        return Array(try JSONEncoder().encode(response)) + [UInt8(ascii: "\n")]
    }
}
