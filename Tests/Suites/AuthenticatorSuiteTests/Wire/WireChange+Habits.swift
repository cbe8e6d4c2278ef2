import CBOR
import CTAP
import SimulatedDevice
import VirtualAuthenticator

/// Habits of older authenticators, one at a time.
extension WireChange {
    static let habits: [WireChange] = [
        countsWrongCodes, forgetsCredentials, requiresGetInfoFirst, algorithmFirst, crashes,
        .status(
            [
                "bioEnrollment.enumerate.none", "bioEnrollment.preview", "bioEnrollment.remove.gone",
                "bioEnrollment.remove.unknown", "bioEnrollment.setFriendlyName.unknown",
                "config.enableEnterpriseAttestation.unknownKind", "largeBlobKey.assertionFalse", "largeBlobKey.false",
                "largeBlobKey.nonDiscoverable", "makeCredential.enterpriseAttestation",
                "makeCredential.options.up.false", "uv.option.assertionNotConfigured", "uv.option.notConfigured",
            ], .invalidOption, as: .unsupportedOption),
        .status([], .invalidSubcommand, as: .invalidParameter),
        .status(
            [
                "clientPIN.retries", "uv.option.assertionBlockedWithoutPIN", "uv.option.blockedWithoutPIN",
                "uv.token.pinBlockedBlocks",
            ], .pinBlocked, as: .pinInvalid),
        .status(
            [
                "clientPIN.forcePINChange.samePIN", "clientPIN.forcePINChange.tokenUsingPin", "clientPIN.protocol1",
                "clientPIN.protocol2", "config.setMinPINLength.enforced", "config.setMinPINLength.lowered",
                "pinComplexityPolicy.simplePIN",
            ], .pinPolicyViolation, as: .invalidParameter),
        .status(
            [
                "bioEnrollment.enrollBegin.noToken", "bioEnrollment.enrollCaptureNextSample.noToken",
                "bioEnrollment.enumerateEnrollments.noToken", "bioEnrollment.preview",
                "bioEnrollment.removeEnrollment.noToken", "bioEnrollment.setFriendlyName.noToken", "config.noToken",
                "credentialManagement.delete.noToken", "credentialManagement.enumerateCredentials.noToken",
                "credentialManagement.enumerateRPs.noToken", "credentialManagement.metadata.noToken",
                "credentialManagement.preview", "credentialManagement.update.noToken",
                "keepalive.getAssertionUV.declined", "keepalive.makeCredentialUV.declined", "largeBlobs.set.noToken",
                "makeCredential.withoutToken.discoverable", "uv.always", "uv.notRequired.discoverable",
                "uv.option.assertionWrongFinger", "uv.option.wrongFinger",
            ], .puatRequired, as: .pinAuthInvalid),
        .status(
            [
                "credProtect.level2.unnamed", "credProtect.level3.named", "credProtect.level3.unnamed",
                "credentialManagement", "getAssertion.allowList", "getAssertion.otherParty",
                "getAssertion.silent.unknown",
            ], .noCredentials, as: .notAllowed),
        .status([], .cborUnexpectedType, as: .invalidCBOR),
        .status(
            ["cbor", "clientPIN.subCommand.noParameters"], .invalidCBOR,
            as: .cborUnexpectedType),
        .status(
            [
                "bioEnrollment.enrol.missingTemplate", "bioEnrollment.modality.missing", "bioEnrollment.preview",
                "bioEnrollment.remove.missing", "bioEnrollment.setFriendlyName.missingID",
                "bioEnrollment.setFriendlyName.missingName",
                "bioEnrollment.subCommand.missing", "clientPIN.keyAgreement.missingProtocol", "clientPIN.protocol1",
                "clientPIN.protocol2", "clientPIN.subCommand.missing", "config.subCommand.missing",
                "credentialManagement.delete.noID", "credentialManagement.enumerateCredentials.noHash",
                "credentialManagement.preview", "credentialManagement.subCommand.missing",
                "credentialManagement.update.noID", "credentialManagement.update.noUser",
                "getAssertion.missing.clientDataHash", "getAssertion.missing.rpId",
                "getAssertion.pinUvAuthParam.withoutProtocol", "hmacSecret.input", "hmacSecret.mc.alone",
                "makeCredential.missing", "makeCredential.pinUvAuthParam.withoutProtocol", "uv.token",
            ], .missingParameter, as: .invalidParameter),
        WireChange(
            "an empty map follows each empty success",
            [
                "bioEnrollment.preview.remove.gone", "bioEnrollment.remove.gone",
                "clientPIN.protocol1.changePIN.success", "clientPIN.protocol1.setPIN.success",
                "clientPIN.protocol2.changePIN.success", "clientPIN.protocol2.setPIN.success",
                "config.enableEnterpriseAttestation.enabled", "config.enableLongTouchForReset.enabled",
                "config.enableLongTouchForReset.longTouch",
                "config.toggleAlwaysUv.toggled", "credentialManagement.delete.gone",
                "credentialManagement.preview.delete.gone", "credentialManagement.preview.update.name",
                "credentialManagement.update.name", "largeBlobs.set.once", "reset.touch", "selection.touch",
            ]
        ) { turn in
            let answer = try await turn.passed()
            return answer == [0] ? [0, 0xA0] : answer
        },
        WireChange("bytes after the parameters are ignored", ["cbor"]) { turn in
            guard let prefix = try? CBOR.decodePrefix(turn.message, from: 1, options: .lenient) else {
                return try await turn.passed()
            }
            return try await turn.pass(turn.message.prefix(1) + CBOR.encode(prefix.value, ordering: .asGiven))
        },
        .request(
            "unknown members are refused", ["cbor.makeCredential", "makeCredential.unknownParameter"],
            of: .makeCredential
        ) { parameters in
            let known = (0x01...0x0B).map { CBOR.Value.integer($0) }
            if !parameters.allSatisfy({ known.contains($0.key) }) { parameters[0x01] = nil }
        },
        WireChange("getPINRetries needs a protocol", ["clientPIN.retries.withoutProtocol"]) { turn in
            if turn.command == .clientPIN, turn.subcommand == 1, turn.parameters?[0x01] == nil {
                return [CTAPStatus.missingParameter.rawValue]
            }
            return try await turn.passed()
        },
        .response("getPINRetries has no powerCycleState", ["clientPIN.retries.threeInARow"], to: .clientPIN, 1) {
            $0[0x04] = nil
        },
        WireChange("enumerateRPsBegin without credentials is OK", ["credentialManagement.enumerateRPs.none"]) { turn in
            let answer = try await turn.passed()
            guard turn.command == .credentialManagement, turn.subcommand == 2,
                answer.first == CTAPStatus.noCredentials.rawValue
            else { return answer }
            return [0] + CBOR.encode([0x05: 0])
        },
        WireChange("a reset is possible at any time", ["reset.late"]) { turn in
            if turn.command == .reset { await turn.device.authenticator.powerCycle() }
            return try await turn.passed()
        },
    ]

    /// Counts wrong codes of tokens as wrong PINs, and wants a power cycle after three.
    private static let countsWrongCodes = WireChange("wrong codes of tokens count as wrong PINs", []) { turn in
        if turn.memory.count >= 3, turn.command != .getInfo, turn.command != .reset {
            return [CTAPStatus.pinAuthBlocked.rawValue]
        }
        let answer = try await turn.passed()
        if turn.command != .clientPIN, answer.first == CTAPStatus.pinAuthInvalid.rawValue { turn.memory.count += 1 }
        if turn.command == .reset, answer.first == 0 { turn.memory.forget() }
        if turn.command == .clientPIN, [5, 9].contains(turn.subcommand), answer.first == 0 { turn.memory.count = 0 }
        return answer
    }

    private static var forgetsCredentials: WireChange {
        var change = WireChange("a power cycle erases the credentials", ["state.credential.powerCycle"]) {
            try await $0.passed()
        }
        change.onPowerCycle = { device, _ in
            for credential in await device.authenticator.snapshot().credentials {
                await device.authenticator.removeCredential(credential.id)
            }
        }
        return change
    }

    private static let requiresGetInfoFirst = WireChange(
        "commands before getInfo are refused after a power cycle", ["state.firstCommand"]
    ) { turn in
        if turn.command == .getInfo { turn.memory.count = 1 }
        guard turn.memory.count > 0 else { return [CTAPStatus.invalidCommand.rawValue] }
        return try await turn.passed()
    }

    /// Replaces each error of MakeCredential by UNSUPPORTED_ALGORITHM where no listed algorithm is supported.
    private static let algorithmFirst = WireChange("the algorithms are checked before the other parameters", []) {
        turn in
        let answer = try await turn.passed()
        guard answer.first != 0, turn.command == .makeCredential, let parameters = turn.parameters,
            case .array(let algorithms)? = parameters[0x04], !algorithms.isEmpty
        else { return answer }
        let known = algorithms.contains { entry in
            guard case .map(let entry) = entry, let algorithm = entry["alg"] else { return true }
            return ![.unsignedInteger, .negativeInteger].contains(algorithm.kind) || algorithm != -65000
        }
        return known ? answer : [CTAPStatus.unsupportedAlgorithm.rawValue]
    }

    private static let crashes = WireChange(
        "an rp that is not a map crashes the authenticator", ["makeCredential.type"]
    ) { turn in
        guard turn.command == .makeCredential, let party = turn.parameters?[0x02], party.kind != .map else {
            return try await turn.passed()
        }
        await turn.device.authenticator.powerCycle()
        throw CTAPDeviceError.disconnected("the device starts anew")
    }
}
