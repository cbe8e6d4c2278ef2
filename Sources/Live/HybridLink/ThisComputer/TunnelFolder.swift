internal import CTAPHybrid
internal import Foundation
internal import HybridTunnel
internal import Machine

/// The files by which the other end finds the tunnel service of a phone in another process of this computer.
///
/// Each open tunnel has one, named by the tunnel ID in hexadecimal digits, which both ends derive from the QR code. Each phone that
/// waits for contacts has one, named by the contact ID. Only their owner can enter the folder.
package struct TunnelFolder: Sendable {
    package let path: String

    package init(path: String) { self.path = path }

    /// `tunnels` in the user's `RuntimeDirectory`.
    package static var standard: TunnelFolder { TunnelFolder(path: RuntimeDirectory.standardPath + "/tunnels") }

    private static let suffix = ".json"

    /// The file of an endpoint's tunnel.
    func file(of endpoint: TunnelRequest.Endpoint) -> String {
        let name =
            switch endpoint {
            case .new(let id), .connect(_, let id): Self.name(id)
            // A contact ID is the phone's, of any length.
            case .contact(let id): "contact-" + Self.name(KeyPurpose.tunnelID.derive(from: id))
            }
        return "\(path)/\(name)\(Self.suffix)"
    }

    private static func name(_ bytes: [UInt8]) -> String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// Writes the file of an endpoint's tunnel, and removes files of processes that have ended.
    ///
    /// - Throws: ``TunnelError/unusable(_:)``.
    func write(_ place: TunnelPlace, for endpoint: TunnelRequest.Endpoint) throws(TunnelError) {
        do {
            try PrivateDirectory.make(path)
            removeStale()
            try OwnFile.replace(file(of: endpoint), with: try place.encoded())
        } catch {
            throw .unusable("the folder \(path): \(error)")
        }
    }

    /// The service that waits for an endpoint.
    ///
    /// - Throws: ``TunnelError/noPhone`` without a file, and ``TunnelError/unusable(_:)`` for one that cannot be trusted.
    func place(of endpoint: TunnelRequest.Endpoint) throws(TunnelError) -> TunnelPlace {
        let file = file(of: endpoint)
        let bytes: [UInt8]?
        do {
            bytes = try PrivateDirectory.check(path) ? OwnFile.read(file, limit: TunnelPlace.longest) : nil
        } catch {
            throw .unusable("\(file): \(error)")
        }
        guard let bytes else { throw .noPhone }
        guard let place = TunnelPlace(bytes: bytes) else {
            throw .unusable("\(file) is damaged; remove it, and scan a new code")
        }
        guard !place.isStale else { throw .noPhone }
        return place
    }

    /// Removes the file of an endpoint's tunnel, unless it leads to another service by now.
    func remove(_ endpoint: TunnelRequest.Endpoint, of place: TunnelPlace) {
        let file = file(of: endpoint)
        if Self.place(in: file) == place { unlink(file) }
    }

    /// The place in a file; nil for a missing or damaged one.
    private static func place(in file: String) -> TunnelPlace? {
        (try? OwnFile.read(file, limit: TunnelPlace.longest)).flatMap(TunnelPlace.init(bytes:))
    }

    /// Removes the files that killed programs have left.
    private func removeStale() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where name.hasSuffix(Self.suffix) {
            let file = "\(path)/\(name)"
            if let place = Self.place(in: file), place.isStale { unlink(file) }
        }
    }
}
