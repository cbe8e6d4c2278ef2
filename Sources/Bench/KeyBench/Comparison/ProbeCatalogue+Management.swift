internal import CBOR
internal import CTAP

extension ProbeCatalogue {
    // MARK: ClientPIN

    /// Read-only subcommands: no PIN is ever sent.
    static let pins: [Probe] = [
        pin("getPINRetries", "getPINRetries", [0x02: 0x01], reading: .state),
        pin("getUVRetries", "getUVRetries", [0x02: 0x07], reading: .state),
        pin(
            "getKeyAgreement.1", "getKeyAgreement of protocol 1", [0x01: 1, 0x02: 0x02], repetitions: 5,
            reading: .keyAgreement),
        pin("getKeyAgreement.2", "getKeyAgreement of protocol 2", [0x01: 2, 0x02: 0x02], reading: .keyAgreement),
        pin("getKeyAgreement.unknownProtocol", "getKeyAgreement of protocol 126", [0x01: 0x7E, 0x02: 0x02]),
        pin("getKeyAgreement.missingProtocol", "getKeyAgreement without a protocol", [0x02: 0x02]),
        pin("missingSubcommand", "no subCommand", [0x01: 1]),
        pin("unknownSubcommand", "subcommand 0x7E", [0x01: 1, 0x02: 0x7E]),
    ]

    private static func pin(
        _ name: String, _ sends: String, _ parameters: CBOR.Map, repetitions: Int = 1,
        reading: Probe.Reading = .status
    ) -> Probe {
        Probe(
            "clientPIN.\(name)", sends: sends, clause: "CTAP 2.3 §6.5.5", repetitions: repetitions, reading: reading,
            message: message(.clientPIN, parameters))
    }

    // MARK: Management

    /// Requests without a token that read or fail.
    ///
    /// authenticatorConfig and large-blob writes need no token on a device without user verification, so only invalid ones
    /// are sent (CTAP 2.3 §6.10.2, §6.11).
    static let management: [Probe] =
        [CTAPCommand.credentialManagement, .credentialManagementPreview].flatMap(credentialManagement)
        + [CTAPCommand.bioEnrollment, .bioEnrollmentPreview].flatMap(bioEnrollment)
        + [
            largeBlobs("get", "the first 17 bytes of the large blobs", [0x01: 17, 0x03: 0]),
            largeBlobs("neither", "neither get nor set", [0x03: 0]),
            largeBlobs("missingOffset", "get without offset", [0x01: 17]),
            largeBlobs("getWithLength", "get with length", [0x01: 17, 0x03: 0, 0x04: 17]),
            largeBlobs("fragmentTooLong", "get of more than a message holds", [0x01: 65535, 0x03: 0]),
            managing(
                .config, "config.unknownSubcommand", "authenticatorConfig's subcommand 0x7E", "CTAP 2.3 §8.1",
                [0x01: 0x7E]),
            managing(
                .config, "config.missingSubcommand", "authenticatorConfig without subCommand", "CTAP 2.3 §6.11", [:]),
        ]

    private static func largeBlobs(_ name: String, _ sends: String, _ parameters: CBOR.Map) -> Probe {
        managing(.largeBlobs, "largeBlobs.\(name)", sends, "CTAP 2.3 §6.10.2", parameters)
    }

    private static func credentialManagement(_ command: CTAPCommand) -> [Probe] {
        let prefix = command == .credentialManagement ? "credentialManagement" : "credentialManagementPreview"
        return [
            managing(
                command, "\(prefix).withoutToken", "getCredsMetadata without pinUvAuthParam", "CTAP 2.3 §6.8.2",
                [0x01: 0x01]),
            managing(
                command, "\(prefix).nextWithoutBegin", "enumerateRPsGetNextRP before any enumeration",
                "CTAP 2.3 §6.8.3", [0x01: 0x03]),
            managing(command, "\(prefix).unknownSubcommand", "subcommand 0x7E", "CTAP 2.3 §8.1", [0x01: 0x7E]),
        ]
    }

    private static func bioEnrollment(_ command: CTAPCommand) -> [Probe] {
        let prefix = command == .bioEnrollment ? "bioEnrollment" : "bioEnrollmentPreview"
        return [
            managing(command, "\(prefix).modality", "getModality", "CTAP 2.3 §6.7.2", [0x06: true], .members),
            managing(
                command, "\(prefix).sensor", "getFingerprintSensorInfo", "CTAP 2.3 §6.7.3",
                [0x01: 1, 0x02: 0x07], .members),
            managing(
                command, "\(prefix).unknownModality", "getFingerprintSensorInfo of modality 126", "CTAP 2.3 §6.7",
                [0x01: 0x7E, 0x02: 0x07]),
            managing(
                command, "\(prefix).withoutToken", "enumerateEnrollments without pinUvAuthParam", "CTAP 2.3 §6.7.6",
                [0x01: 1, 0x02: 0x04]),
        ]
    }

    /// A management request.
    ///
    /// Under a preview's byte it goes only to a device that lists the preview: to others the byte may be a command of
    /// their vendor's own (CTAP 2.3 §8.1).
    private static func managing(
        _ command: CTAPCommand, _ name: String, _ sends: String, _ clause: String,
        _ parameters: CBOR.Map, _ reading: Probe.Reading = .status
    ) -> Probe {
        let option: String? =
            switch command {
            case .credentialManagementPreview: "credentialMgmtPreview"
            case .bioEnrollmentPreview: "userVerificationMgmtPreview"
            default: nil
            }
        return Probe(name, sends: sends, clause: clause, reading: reading) { context in
            if let option, context.info?.option(option) == nil { return .nothing("it does not list \(option)") }
            return .message(message(command, parameters))
        }
    }
}
