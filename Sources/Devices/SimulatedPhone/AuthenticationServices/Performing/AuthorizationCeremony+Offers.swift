internal import CTAP
internal import SimulatedDevice
internal import VirtualAuthenticator
internal import WebAuthn

extension AuthorizationCeremony {
    /// The credentials for the requests, in the order of a sheet: passkeys, passwords, security keys, another phone, and last a
    /// security key that is not connected.
    func offers() async -> [AuthorizationOffer] {
        var offers: [AuthorizationOffer] = []
        for request in requests { offers += await passkeyOffers(request) }
        for request in requests { offers += passwordOffers(request) }
        var keys = requests.filter(\.kind.isForSecurityKeys).map {
            AuthorizationOffer(request: $0, kind: .securityKey)
        }
        // A sheet for security keys alone waits for one.
        let waitsForKey = phone.desk.connected == nil && keys.count < requests.count
        if !waitsForKey { offers += keys }
        for request in requests {
            if case .assertion(_, offersOtherDevices: true) = request.kind, phone.desk.nearby != nil {
                offers.append(AuthorizationOffer(request: request, kind: .nearbyPhone))
            }
        }
        guard waitsForKey else { return offers }
        for place in keys.indices { keys[place].needsPlan = true }
        return offers + keys
    }

    private func passkeyOffers(_ request: PlannedAuthorization) async -> [AuthorizationOffer] {
        switch request.kind {
        case .registration(let options, _):
            return [AuthorizationOffer(request: request, kind: .passkey(account: options.user.name))]
        case .accountCreation: return [AuthorizationOffer(request: request, kind: .newAccount)]
        case .assertion(let options, _):
            let found = await device.authenticator.offeredCredentials(of: options.rpId ?? "")
            let allowed = Set((options.allowCredentials ?? []).map(\.id.bytes))
            return found.filter { allowed.isEmpty || allowed.contains($0.id) }.map {
                AuthorizationOffer(
                    request: request, kind: .passkey(account: $0.user.name ?? ""), credentialID: $0.id)
            }
        case .securityKeyRegistration, .securityKeyAssertion, .password: return []
        }
    }

    private func passwordOffers(_ request: PlannedAuthorization) -> [AuthorizationOffer] {
        guard case .password = request.kind else { return [] }
        // An app that is associated with every domain means those of its other requests.
        let domains = Set(requests.compactMap(\.kind.relyingPartyID))
        return phone.desk.passwords.filter { saved in
            phone.desk.isAssociated(app, with: saved.domain) && (domains.isEmpty || domains.contains(saved.domain))
        }.map {
            AuthorizationOffer(request: request, kind: .password(account: $0.account), password: $0)
        }
    }
}
