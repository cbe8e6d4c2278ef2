import CBOR
import CTAP
import TestSupport
import WebAuthn

/// Valid parameter maps of each command, and small damage to them.
enum ParameterSeeds {
    static func maps(_ command: CTAPCommand, credentialID: [UInt8]) -> [CBOR.Map] {
        let values: [CBOR.Value] =
            switch command {
            case .makeCredential, .getAssertion, .clientPIN:
                Seeds.all.filter { $0[0] == command.rawValue }.compactMap { try? CBOR.decode(Array($0.dropFirst())) }
                    + extended(command, credentialID: credentialID)
            case .bioEnrollment, .bioEnrollmentPreview: bio
            case .credentialManagement, .credentialManagementPreview: management(credentialID)
            case .largeBlobs: blobs
            case .config: config
            default: []
            }
        return values.compactMap { if case .map(let map) = $0 { map } else { nil } }
    }

    private static func extended(_ command: CTAPCommand, credentialID: [UInt8]) -> [CBOR.Value] {
        if command == .makeCredential {
            var request = Seeds.registration
            request.extensions = [
                "credProtect": 3, "credBlob": .bytes([1, 2]), "largeBlobKey": true, "minPinLength": true,
                "hmac-secret": true, "thirdPartyPayment": true, "uvm": true,
            ]
            request.enterpriseAttestation = 1
            return [request.cbor]
        }
        guard command == .getAssertion else { return [] }
        var request = GetAssertionRequest(relyingPartyID: "known.example", clientDataHash: Seeds.hash)
        request.allowList = [PublicKeyCredentialDescriptor(id: credentialID)]
        request.extensions = ["credBlob": true, "largeBlobKey": true, "thirdPartyPayment": true, "uvm": true]
        return [request.cbor]
    }

    private static var bio: [CBOR.Value] {
        BioEnrollmentSubcommand.allCases.map { subcommand in
            var request = BioEnrollmentRequest(subCommand: subcommand)
            switch subcommand {
            case .enrollBegin: request.timeoutMilliseconds = 1000
            case .enrollCaptureNextSample, .removeEnrollment: request.templateID = [1]
            case .setFriendlyName:
                request.templateID = [1]
                request.friendlyName = "thumb"
            default: break
            }
            return request.cbor
        } + [[6: true]]
    }

    private static func management(_ credentialID: [UInt8]) -> [CBOR.Value] {
        CredentialManagementSubcommand.allCases.map { subcommand in
            var request = CredentialManagementRequest(subCommand: subcommand)
            switch subcommand {
            case .enumerateCredentialsBegin: request.rpIDHash = Seeds.knownRelyingPartyIDHash
            case .deleteCredential: request.credentialID = PublicKeyCredentialDescriptor(id: credentialID)
            case .updateUserInformation:
                request.credentialID = PublicKeyCredentialDescriptor(id: credentialID)
                request.user = PublicKeyCredentialUserEntity(id: [1, 2, 3], name: "eve")
            default: break
            }
            return request.cbor
        }
    }

    private static var blobs: [CBOR.Value] {
        let whole = SerializedLargeBlobArray.serialize([0x81, 0x42, 0x01, 0x02])
        return [
            LargeBlobsRequest(get: 100, offset: 0).cbor,
            LargeBlobsRequest(set: whole, offset: 0, length: whole.count).cbor,
            LargeBlobsRequest(set: Array(whole.prefix(10)), offset: 0, length: whole.count).cbor,
            LargeBlobsRequest(set: Array(whole.dropFirst(10)), offset: 10).cbor,
        ]
    }

    private static var config: [CBOR.Value] {
        AuthenticatorConfigSubcommand.allCases.map { subcommand in
            var request = AuthenticatorConfigRequest(subCommand: subcommand)
            if subcommand == .setMinPINLength {
                request.newMinPINLength = 4
                request.minPinLengthRPIDs = ["known.example"]
            }
            if subcommand == .vendorPrototype { request.vendorCommandID = 1 }
            return request.cbor
        }
    }

    /// Changes, removes or adds a member, perhaps one level down.
    static func damage(_ map: inout CBOR.Map, _ generator: inout SeededGenerator) {
        guard let key = map.keys.randomElement(using: &generator) else {
            map[Int.random(in: 0...12, using: &generator)] = RandomItem.item(depth: 2, &generator)
            return
        }
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: map[key] = nil
        case 1: map[Int.random(in: -1...16, using: &generator)] = RandomItem.item(depth: 2, &generator)
        case 2, 3:
            switch map[key] {
            case .map(var inner):
                damage(&inner, &generator)
                map[key] = .map(inner)
            case .bytes(let bytes): map[key] = .bytes(Mutation.mutated(bytes, &generator))
            case .unsigned(let number):
                map[key] = .unsigned(number &+ UInt64.random(in: 0...2, using: &generator) &- 1)
            default: map[key] = RandomItem.item(depth: 1, &generator)
            }
        default: map[key] = RandomItem.item(depth: 2, &generator)
        }
    }

    /// Adds the correct code for the changed map, if the command takes one.
    static func authenticate(_ map: inout CBOR.Map, _ command: CTAPCommand, token: [UInt8]) {
        let message: [UInt8]?
        let protocolKey: Int
        let paramKey: Int
        switch command {
        case .bioEnrollment, .bioEnrollmentPreview:
            (protocolKey, paramKey) = (4, 5)
            message = (try? BioEnrollmentRequest(cbor: .map(map)))?.authenticatedMessage
        case .credentialManagement, .credentialManagementPreview:
            (protocolKey, paramKey) = (3, 4)
            message = (try? CredentialManagementRequest(cbor: .map(map)))?.authenticatedMessage
        case .largeBlobs:
            (protocolKey, paramKey) = (6, 5)
            message = map[2] == nil ? nil : (try? LargeBlobsRequest(cbor: .map(map)))?.authenticatedMessage
        case .config:
            (protocolKey, paramKey) = (3, 4)
            message = (try? AuthenticatorConfigRequest(cbor: .map(map)))?.authenticatedMessage
        default: return
        }
        guard let message else { return }
        map[protocolKey] = 2
        map[paramKey] = .bytes(PINUVAuthProtocol.two.authenticate(message, key: token))
    }
}
