internal import DeviceActs
internal import Foundation
internal import NIOCore
internal import NIOPosix

/// Serves the Unix socket of a running device: a request is one line of JSON, and so is its answer.
struct DeviceSocketServer: Sendable {
    typealias Handler = @Sendable (DeviceRequest) async -> DeviceSocketResponse

    private let listener: NIOAsyncChannel<DeviceSocketConnection, Never>
    private let path: String

    /// Opens a device's socket, which claims its name; it replaces the socket of a device whose process ended.
    static func listen(as name: String, in directory: DeviceSocketDirectory) async throws(DeviceHostError)
        -> DeviceSocketServer
    {
        let path = try directory.socketPath(of: name)
        try directory.prepare()
        let answered = try? await DeviceSocketClient(directory: directory).send(.status, to: name)
        guard answered == nil else { throw .nameTaken(name) }
        do {
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .childChannelOption(.autoRead, value: false)
                .childChannelOption(.maxMessagesPerRead, value: 1)
                .bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true) { channel in
                    channel.eventLoop.makeCompletedFuture { try DeviceSocketConnection(taking: channel) }
                }
            return DeviceSocketServer(listener: listener, path: path)
        } catch {
            throw .cannotListen("the socket \(path) cannot be opened: \(error)")
        }
    }

    /// Serves until the task is cancelled, then removes the socket.
    func run(_ handler: @escaping Handler) async {
        try? await listener.executeThenClose { connections in
            await withDiscardingTaskGroup { group in
                do {
                    for try await connection in connections {
                        group.addTask { await connection.serve { try await Self.answer(to: $0, handler) } }
                    }
                } catch {
                    // The listener is closing; open connections end on their own.
                }
            }
        }
        try? FileManager.default.removeItem(atPath: path)
    }

    /// Removes the socket of a server that has not served.
    func close() async {
        try? await listener.channel.close()
        try? FileManager.default.removeItem(atPath: path)
    }

    private static func answer(to line: [UInt8], _ handler: Handler) async throws -> [UInt8] {
        let response: DeviceSocketResponse
        do {
            response = await handler(try JSONDecoder().decode(DeviceRequest.self, from: Data(line)))
        } catch let error as DeviceActError {
            response = DeviceSocketResponse(error: error.description)
        } catch {
            response = DeviceSocketResponse(
                error: "the command is unknown; use the same version of touchstone for both processes")
        }
        return Array(try JSONEncoder().encode(response)) + [UInt8(ascii: "\n")]
    }
}
