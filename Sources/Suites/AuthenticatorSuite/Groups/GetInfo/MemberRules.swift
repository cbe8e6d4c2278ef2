internal import CTAP
internal import Conformance
internal import WebAuthn

extension InfoRule {
    /// Rules about the values of single members (CTAP 2.3 §6.4).
    static let members: [InfoRule] = [
        .member(.versions, "present", "versions lists at least one version.") { info in
            (!info.versions.isEmpty).orSeen("an empty list")
        }, .member(.versions, "unique", "versions lists each version once.") { repeated($0.versions) },
        .member(.versions, "known", "versions lists only versions of the specification.", level: .should) { info in
            let known: Set = ["U2F_V2", "FIDO_2_0", "FIDO_2_1_PRE", "FIDO_2_1", "FIDO_2_3"]
            return info.versions.allSatisfy(known.contains).orSeen("\(info.versions)")
        }, .member(.extensions, "unique", "extensions lists each extension once.") { repeated($0.extensions) },
        .member(.extensions, "notEmpty", "extensions is absent rather than empty.", level: .should) { info in
            (info.extensions?.isEmpty != true).orSeen("an empty list")
        },
        .member(.options, "known", "options has only options of the specification.", level: .should) { info in
            let unknown = (info.options ?? [:]).keys.filter { InfoOption(rawValue: $0) == nil }.sorted()
            return unknown.isEmpty.orSeen("\(unknown)")
        },
        .member(.maxMsgSize, "atLeast", "maxMsgSize is at least 1024.") { info in
            ((info.maxMsgSize ?? 1024) >= 1024).orSeen("\(info.maxMsgSize ?? 0)")
        },
        .member(.pinUvAuthProtocols, "notEmpty", "pinUvAuthProtocols is not empty.") { info in
            (info.pinUvAuthProtocols?.isEmpty != true).orSeen("an empty list")
        },
        .member(.pinUvAuthProtocols, "unique", "pinUvAuthProtocols lists each protocol once.") {
            repeated($0.pinUvAuthProtocols)
        },
        .member(.pinUvAuthProtocols, "known", "pinUvAuthProtocols lists protocols 1 and 2 only.", level: .should) {
            info in
            (info.pinUvAuthProtocols ?? []).allSatisfy([1, 2].contains).orSeen("\(info.pinUvAuthProtocols ?? [])")
        },
        .member(.maxCredentialCountInList, "positive", "maxCredentialCountInList is greater than zero.") { info in
            (info.maxCredentialCountInList != 0).orSeen("0")
        },
        .member(.maxCredentialIdLength, "positive", "maxCredentialIdLength is greater than zero.") { info in
            (info.maxCredentialIdLength != 0).orSeen("0")
        }, .member(.transports, "unique", "transports lists each transport once.") { repeated($0.transports) },
        .member(.transports, "known", "transports lists transports of WebAuthn.", level: .should) { info in
            let known: Set = ["usb", "nfc", "ble", "smart-card", "hybrid", "internal"]
            let unknown = (info.transports ?? []).map(\.rawValue).filter { !known.contains($0) }
            return unknown.isEmpty.orSeen("\(unknown)")
        },
        .member(.algorithms, "notEmpty", "algorithms is not empty.") { info in
            (info.algorithms?.isEmpty != true).orSeen("an empty list")
        }, .member(.algorithms, "unique", "algorithms lists each algorithm once.") { repeated($0.algorithms) },
        .member(.algorithms, "publicKey", "algorithms has the type public-key only.") { info in
            (info.algorithms ?? []).allSatisfy { $0.type == "public-key" }.orSeen("other types")
        },
        .member(.maxSerializedLargeBlobArray, "atLeast", "maxSerializedLargeBlobArray is at least 1024.") { info in
            ((info.maxSerializedLargeBlobArray ?? 0) >= 1024).orSeen("\(info.maxSerializedLargeBlobArray ?? 0)")
        },
        .member(.minPINLength, "atLeast", "minPINLength is at least 4 and at most 63.") { info in
            (4...63).contains(info.minPINLength ?? 4).orSeen("\(info.minPINLength ?? 0)")
        },
        .member(.maxPINLength, "range", "maxPINLength is at most 63 and at least minPINLength.") { info in
            ((info.minPINLength ?? 4)...63).contains(info.maxPINLength ?? 63).orSeen("\(info.maxPINLength ?? 0)")
        },
        .member(.maxCredBlobLength, "atLeast", "maxCredBlobLength is at least 32.") { info in
            ((info.maxCredBlobLength ?? 0) >= 32).orSeen("\(info.maxCredBlobLength ?? 0)")
        },
        .member(.preferredPlatformUvAttempts, "positive", "preferredPlatformUvAttempts is greater than zero.") {
            info in (info.preferredPlatformUvAttempts != 0).orSeen("0")
        },
        .member(.uvModality, "bits", "uvModality has bits of the FIDO registry only.") { info in
            let bits = info.uvModality ?? 0
            return (bits != 0 && bits & ~0x1FFF == 0).orSeen("0x\(String(bits, radix: 16))")
        },
        .member(.attestationFormats, "withoutNone", "attestationFormats does not list none.") { info in
            (info.attestationFormats?.contains("none") != true).orSeen("\(info.attestationFormats ?? [])")
        },
        .member(.attestationFormats, "unique", "attestationFormats lists each format once.") {
            repeated($0.attestationFormats)
        },
        .member(.encIdentifier, "length", "encIdentifier has 32 bytes.") { info in
            (info.encIdentifier?.count == 32).orSeen("\(info.encIdentifier?.count ?? 0) bytes")
        },
        .member(.encCredStoreState, "length", "encCredStoreState has 32 bytes.") { info in
            (info.encCredStoreState?.count == 32).orSeen("\(info.encCredStoreState?.count ?? 0) bytes")
        },
        .member(.transportsForReset, "subset", "transportsForReset lists transports of the authenticator.") { info in
            let unknown = Set(info.transportsForReset ?? []).subtracting(info.transports ?? [])
            return (info.transports == nil || unknown.isEmpty).orSeen("also \(unknown.map(\.rawValue).sorted())")
        },
        .member(.pinComplexityPolicyURL, "text", "pinComplexityPolicyURL is a URL in UTF-8.") { info in
            let text = info.pinComplexityPolicyURL.flatMap { String(validating: $0, as: UTF8.self) }
            return (text?.hasPrefix("https://") == true || text?.hasPrefix("http://") == true)
                .orSeen(text ?? "bytes that are not UTF-8")
        },
        .member(
            .authenticatorConfigCommands, "known", "authenticatorConfigCommands lists subcommands that exist.",
            level: .should
        ) { info in
            let known: Set = [1, 2, 3, 4, 0xFF]
            return (info.authenticatorConfigCommands ?? []).allSatisfy(known.contains)
                .orSeen("\(info.authenticatorConfigCommands ?? [])")
        },
        .member(.authenticatorConfigCommands, "unique", "authenticatorConfigCommands lists each subcommand once.") {
            repeated($0.authenticatorConfigCommands)
        },
        .member(.certifications, "levels", "certifications gives known certifications a level that exists.") { info in
            let wrong = (info.certifications ?? [:]).filter { name, level in
                switch name {
                case "FIDO": !(1...6).contains(level)
                case "CC-EAL": !(1...7).contains(level)
                case "FIPS-CMVP-2", "FIPS-CMVP-3": !(1...4).contains(level)
                case "FIPS-CMVP-2-PHY", "FIPS-CMVP-3-PHY": !(1...4).contains(level)
                default: false
                }
            }
            return wrong.isEmpty.orSeen("\(wrong)")
        },
    ]
}
