internal import Foundation
internal import HybridTunnel
internal import Machine

/// The tunnel service of a process, as a file tells other programs of the user.
///
/// A JSON object: `port`, `authority` (the certificate in DER, as base64) and `process`.
struct TunnelPlace: Codable, Hashable, Sendable {
    /// The longest file that is read, in bytes.
    static let longest = 1 << 14

    /// The port on 127.0.0.1.
    let port: Int
    /// The certificate of the service's authority, in DER.
    let authority: Data
    /// The number of the process.
    let process: Int32

    /// The service's client.
    var client: TunnelClient { TunnelClient(port: port, authority: Array(authority)) }

    /// Whether the service's process has ended.
    var isStale: Bool { !RunningProcess.exists(process) }

    /// Reads a file's bytes; nil for damaged ones.
    init?(bytes: [UInt8]) {
        guard bytes.count <= Self.longest, let place = try? JSONDecoder().decode(Self.self, from: Data(bytes)),
            (1...65535).contains(place.port), !place.authority.isEmpty, place.process > 0
        else { return nil }
        self = place
    }

    init(of service: TunnelService) {
        port = service.port
        authority = Data(service.authority.certificate)
        process = getpid()
    }

    /// The file's bytes.
    func encoded() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return Array(try encoder.encode(self))
    }
}
