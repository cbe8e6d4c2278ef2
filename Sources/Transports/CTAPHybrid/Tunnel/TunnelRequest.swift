internal import WebAuthn

/// A WebSocket to the tunnel service.
///
/// CTAP 2.3 §11.5 specifies the paths of the other end. A phone's path and the header of its answer are a convention
/// of Chromium.
package struct TunnelRequest: Hashable, Sendable {
    /// The path of a connection.
    package enum Endpoint: Hashable, Sendable {
        /// A phone that has scanned a QR code: `/cable/new/TUNNELID`.
        case new(tunnelID: [UInt8])
        /// The other end after the advert, or a contacted phone: `/cable/connect/ROUTINGID/TUNNELID`.
        case connect(RoutingID, tunnelID: [UInt8])
        /// The other end that reaches for a linked phone: `/cable/contact/CONTACTID`, in base64url.
        case contact(contactID: [UInt8])
    }

    /// The WebSocket subprotocol of both ends.
    package static let subprotocol = "fido.cable"
    /// The header with the ``RoutingID`` in the service's answer to a phone.
    package static let routingIDHeader = "X-caBLE-Routing-ID"
    /// The header with the ``ClientPayload`` of the other end that reaches for a linked phone.
    package static let clientPayloadHeader = "X-caBLE-Client-Payload"
    /// The status with which the service refuses a contact ID that is no longer valid.
    package static let goneStatus = 410

    package var domain: TunnelDomain
    package var endpoint: Endpoint
    /// The header ``clientPayloadHeader``; nil without one.
    package var clientPayload: ClientPayload?

    package init(domain: TunnelDomain, endpoint: Endpoint, clientPayload: ClientPayload? = nil) {
        self.domain = domain
        self.endpoint = endpoint
        self.clientPayload = clientPayload
    }

    /// The URL, such as `wss://cable.ua5v.com/cable/new/367C…`; nil for an unassigned domain.
    package var url: String? { domain.host.map { "wss://\($0)\(endpoint.path)" } }
}

extension TunnelRequest.Endpoint {
    /// The path.
    package var path: String {
        switch self {
        case .new(let tunnelID): "/cable/new/\(HexText.encode(tunnelID))"
        case .connect(let routingID, let tunnelID):
            "/cable/connect/\(HexText.encode(routingID.bytes))/\(HexText.encode(tunnelID))"
        case .contact(let contactID): "/cable/contact/\(Base64URL.encode(contactID))"
        }
    }

    /// Reads a path, as a tunnel service does; nil for any other path.
    package init?(path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        guard path.hasPrefix("/"), parts.first == "cable", parts.count >= 3 else { return nil }
        let arguments = Array(parts.dropFirst(2))
        switch (parts[parts.startIndex + 1], arguments.count) {
        case ("new", 1):
            guard let tunnelID = Self.tunnelID(arguments[0]) else { return nil }
            self = .new(tunnelID: tunnelID)
        case ("connect", 2):
            guard let routingID = HexText.decode(arguments[0]).flatMap({ RoutingID($0) }),
                let tunnelID = Self.tunnelID(arguments[1])
            else { return nil }
            self = .connect(routingID, tunnelID: tunnelID)
        case ("contact", 1):
            guard let contactID = Base64URL.decode(String(arguments[0])), !contactID.isEmpty else { return nil }
            self = .contact(contactID: contactID)
        default: return nil
        }
    }

    private static func tunnelID(_ text: Substring) -> [UInt8]? {
        HexText.decode(text).flatMap { $0.count == KeyPurpose.tunnelID.length ? $0 : nil }
    }
}
