internal import AppHost
internal import DeviceProfiles
internal import ForeignParties
internal import RelyingPartyServer

extension Site: PageParty {
    nonisolated func createAccount(_ name: String, password: String?) async throws {
        var account = ["username": name, "displayName": name]
        account["password"] = password
        _ = try await send("POST", "/accounts", account)
    }

    nonisolated func signOut() async throws {
        _ = try await send("DELETE", "/session")
        http.forgetSession()
    }

    nonisolated func passkeyIDs(isRecorded: Bool) async throws -> [String]? {
        await Turns.lane?.pass()
        let answer = try await http.send(
            "GET", "/passkeys", userAgent: DeviceProfile?.none.userAgent, isRecorded: isRecorded)
        guard answer.isSuccess else { return nil }
        return try answer.decode([String: [Passkey]].self)["passkeys"]?.map(\.credentialId)
    }

    nonisolated func deletePasskey(_ id: String) async throws { _ = try await send("DELETE", "/passkeys/\(id)") }

    nonisolated func begin<Options: Decodable>(
        _ kind: CeremonyStep.Kind, _ requirements: PartyRequirements, from profile: DeviceProfile?
    ) async throws -> Options? {
        var body: [String: String] = [:]
        if kind != .register { body["purpose"] = kind.rawValue }
        body["username"] = requirements.account
        body["userVerification"] = requirements.userVerification
        body["residentKey"] = requirements.residentKey
        body["attestation"] = requirements.attestation
        return try await send("POST", "\(kind.path)/begin", body, from: profile)?.decode(Options.self)
    }

    nonisolated func complete(
        _ kind: CeremonyStep.Kind, _ response: some Encodable & Sendable, from profile: DeviceProfile?
    ) async throws -> Bool {
        try await send("POST", "\(kind.path)/complete", response, from: profile) != nil
    }
}

/// A row of the passkey list.
private struct Passkey: Decodable {
    let credentialId: String
}

extension CeremonyStep.Kind {
    fileprivate var path: String {
        switch self {
        case .register: "/passkeys/register"
        case .signIn, .reauthenticate: "/passkeys/authenticate"
        }
    }
}
