internal import GRDB
internal import HTTPTypes
internal import LoopbackHTTP
internal import RelyingPartyServer

/// The proof of a signed-in user's address with a code from its mailbox; the account keeps the access that it has.
struct AddressProof: Sendable {
    let gateway: Gateway
    let authsignal: Authsignal

    private struct CodeBody: Decodable, Sendable {
        let code: String
    }

    func add(to routes: inout RouteTable, through door: ServiceDoor) {
        func handler(_ handle: @escaping RouteTable.Handler) -> RouteTable.Handler {
            door.gatewayHandler(.email, handle)
        }
        routes.add(
            .post, "/gateway/v1/email/send-code",
            handler { request, _ in
                try await authsignal.sendCode(.address, to: try await gateway.caller(of: request).user.email)
                return Reply.noContent()
            })
        routes.add(
            .post, "/gateway/v1/email/verify",
            handler { request, _ in
                let user = try await gateway.caller(of: request).user
                let body: CodeBody = try await JSONBody.read(of: request)
                try await authsignal.spend(body.code, .address, of: user.email)
                try await gateway.proveAddress(ofUser: user.id)
                return Reply.noContent()
            })
    }
}

extension Gateway {
    func proveAddress(ofUser id: String) async throws {
        try await site.database.write { db in
            try db.execute(sql: "UPDATE gateway_users SET email_verified = 1 WHERE id = ?", arguments: [id])
        }
    }
}

extension LoopbackServices {
    /// The owner of an account proves its address.
    ///
    /// - Returns: whether it was not proved before.
    /// - Throws: `APIError` for an address without an account.
    package func proveAddress(_ address: String) async throws -> Bool {
        guard let gateway, let site else { return false }
        guard let account = try await site.database.snapshot({ db in try site.existingAccount(named: address, db) })
        else {
            throw APIError.addressUnknown
        }
        let user = try await gateway.user(of: account, provesAddress: false)
        try await gateway.proveAddress(ofUser: user.id)
        return !user.emailVerified
    }
}

extension APIError {
    static let addressUnknown = APIError(
        404, "account_not_found", "No account has this address; create the account first.")
}
