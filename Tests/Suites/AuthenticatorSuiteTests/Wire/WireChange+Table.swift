import CBOR
import CTAP

/// Single defects of responses, requests and statuses.
extension WireChange {
    static let defects = infos + registrations + assertions + pins + management + fingers + blobs + settings + statuses

    private static let infos: [WireChange] = [
        .info("getInfo: an AAGUID of 15 bytes", ["getInfo.aaguid.type"]) {
            $0[0x03] = .bytes([UInt8](repeating: 1, count: 15))
        },
        .info(
            "getInfo: maxMsgSize below 1024",
            [
                "general.tooLongMessage", "getInfo.maxMsgSize.atLeast", "largeBlobs.request.get.tooMuch",
                "largeBlobs.set.longFragment",
            ]
        ) { $0[0x05] = 1023 },
        .info("getInfo: a PIN/UV auth protocol twice", ["getInfo.pinUvAuthProtocols.unique"]) { $0[0x06] = [2, 2, 1] },
        .info(
            "getInfo: maxCredentialCountInList 0",
            [
                "getAssertion.allowList.tooLong", "getInfo.maxCredentialCountInList.positive",
                "makeCredential.excludeList.tooLong",
            ]
        ) { $0[0x07] = 0 },
        .info("getInfo: maxCredentialIdLength 16", ["makeCredential.credentialID.limit"]) { $0[0x08] = 16 },
        .info("getInfo: a transport twice", ["getInfo.transports.unique"]) { $0[0x09] = ["usb", "usb"] },
        .info("getInfo: an algorithm that cannot register", ["getInfo.truth.algorithms"]) { info in
            guard case .array(let algorithms)? = info[0x0A] else { return }
            info[0x0A] = .array(algorithms + [["alg": -65000, "type": "public-key"]])
        },
        .info("getInfo: an algorithm twice", ["getInfo.algorithms.unique"]) { info in
            guard case .array(let algorithms)? = info[0x0A] else { return }
            info[0x0A] = .array(algorithms + algorithms.prefix(1))
        },
        .info(
            "getInfo: maxSerializedLargeBlobArray below 1024",
            ["getInfo.maxSerializedLargeBlobArray.atLeast", "largeBlobs.capacity", "largeBlobs.set.tooLong"]
        ) { $0[0x0B] = 1023 },
        .info(
            "getInfo: minPINLength 3",
            [
                "clientPIN.protocol1.setPIN.pin.codePoints", "clientPIN.protocol1.setPIN.pin.minimum",
                "clientPIN.protocol2.setPIN.pin.codePoints", "clientPIN.protocol2.setPIN.pin.minimum",
                "config.setMinPINLength", "getInfo.minPINLength.atLeast", "minPinLength.listed",
                "minPinLength.powerCycle",
            ]
        ) { $0[0x0D] = 3 },
        .info("getInfo: firmwareVersion as a text", ["getInfo.firmwareVersion.type"]) { $0[0x0E] = "5.7" },
        .info(
            "getInfo: maxCredBlobLength 31",
            ["credBlob.declaredLength", "credBlob.tooLong", "getInfo.maxCredBlobLength.atLeast"]
        ) { $0[0x0F] = 31 },
        .info(
            "getInfo: remainingDiscoverableCredentials never falls",
            [
                "credentialManagement.metadata.getInfo", "credentialManagement.preview.metadata.getInfo",
                "getInfo.truth.remaining", "makeCredential.account.full",
            ]
        ) { $0[0x14] = 20 },
        .info("getInfo: transportsForReset without USB", ["reset.otherTransport"]) { $0[0x1A] = ["nfc"] },
        .info("getInfo: an extension twice", ["extensions.getInfo.distinct", "getInfo.extensions.unique"]) { info in
            guard case .array(let names)? = info[0x02] else { return }
            info[0x02] = .array(names + names.prefix(1))
        },
        .info("getInfo: a version twice", ["getInfo.versions.unique"]) { info in
            guard case .array(let names)? = info[0x01] else { return }
            info[0x01] = .array(names + names.prefix(1))
        },
        .info("getInfo: an option that is not a boolean", ["getInfo.options.type"]) { info in
            guard case .map(var options)? = info[0x04] else { return }
            options["plat"] = 0
            info[0x04] = .map(options)
        },
        .option("up", false, ["getInfo.relation.userPresence"]), .option("plat", true, []),
        .option(
            "rk", nil,
            ["getInfo.relation.credMgmt", "getInfo.relation.credentialMgmtPreview", "getInfo.truth.withoutRK"]),
        .option(
            "credMgmt", nil,
            [
                "clientPIN.protocol1.tokenUsingPin.permission.cm", "clientPIN.protocol2.tokenUsingPin.permission.cm",
                "general.absent.credentialManagement", "getInfo.mandatory.credMgmt", "getInfo.relation.perCredMgmtRO",
                "uv.token.permission.cm",
            ]),
        .option(
            "largeBlobs", nil,
            [
                "clientPIN.protocol1.tokenUsingPin.permission.lbw", "clientPIN.protocol2.tokenUsingPin.permission.lbw",
                "general.absent.largeBlobs", "getInfo.relation.largeBlobKey", "getInfo.relation.largeBlobs",
                "largeBlobKey.declared", "uv.token.permission.lbw",
            ]), .option("makeCredUvNotRqd", nil, ["makeCredential.withoutToken.refused"]),
        .option("setMinPINLength", nil, ["extensions.getInfo.minPinLength", "getInfo.relation"]),
    ]

    private static let registrations: [WireChange] = [
        .response(
            "makeCredential: no fmt",
            ["attestation", "makeCredential.fmt", "makeCredential.fmt.declared", "makeCredential.formats.none"],
            to: .makeCredential
        ) { $0[0x01] = nil },
        .response(
            "makeCredential: no attStmt",
            [
                "attestation.algorithm", "attestation.default", "attestation.format",
                "attestation.packed.selfAlgorithm", "attestation.packed.sig", "makeCredential.attStmt",
            ], to: .makeCredential
        ) { $0[0x03] = nil },
        .response(
            "makeCredential: an attStmt that is a list",
            [
                "attestation.algorithm", "attestation.default", "attestation.format",
                "attestation.packed.selfAlgorithm", "attestation.packed.sig", "makeCredential.formats.none",
            ], to: .makeCredential
        ) { $0[0x03] = [] },
        .response(
            "makeCredential: epAtt without a request",
            [
                "config.enableEnterpriseAttestation.otherRP", "makeCredential.enterpriseAttestation.vendor.unlisted",
                "makeCredential.withoutEpAtt",
            ], to: .makeCredential
        ) { $0[0x04] = true },
        .response(
            "makeCredential: a largeBlobKey without a request",
            [
                "credentialManagement.enumerateCredentials.largeBlobKey",
                "credentialManagement.preview.enumerateCredentials.largeBlobKey", "largeBlobKey.assertion",
                "largeBlobKey.next", "largeBlobKey.notAsked", "largeBlobKey.own", "makeCredential.withoutLargeBlobKey",
            ], to: .makeCredential
        ) {
            $0[0x05] = .bytes([UInt8](repeating: 7, count: 32))
        },
        .response(
            "makeCredential: fmt none with a statement",
            ["attestation.algorithm", "attestation.default", "attestation.format", "attestation.preference"],
            to: .makeCredential
        ) { $0[0x01] = "none" },
        .response(
            "makeCredential: the statement has an unknown member",
            ["attestation.packed.members", "makeCredential.formats.none"], to: .makeCredential
        ) { response in
            guard case .map(var statement)? = response[0x03] else { return }
            statement["note"] = 1
            response[0x03] = .map(statement)
        },
        .data(
            "makeCredential: the reserved flag 1",
            ["attestation.algorithm", "attestation.default", "attestation.format", "makeCredential.flags.reserved"],
            of: .makeCredential
        ) { $0[32] |= 0x02 },
        .data(
            "makeCredential: the reserved flag 5",
            ["attestation.algorithm", "attestation.default", "attestation.format", "makeCredential.flags.reserved"],
            of: .makeCredential
        ) { $0[32] |= 0x20 },
        .data(
            "makeCredential: the flag AT is clear",
            ["cbor.makeCredential.authenticatorData", "makeCredential.data.form", "makeCredential.flags.at"],
            of: .makeCredential
        ) { $0[32] &= ~0x40 },
        .data(
            "makeCredential: a byte less", ["cbor.makeCredential.authenticatorData", "makeCredential.data.form"],
            of: .makeCredential
        ) { $0.removeLast() },
        .data(
            "makeCredential: the hash of another RP ID",
            [
                "attestation.algorithm", "attestation.default", "attestation.format",
                "makeCredential.longRelyingPartyID", "makeCredential.rpIdHash",
            ], of: .makeCredential
        ) { $0[31] ^= 1 },
        .request(
            "makeCredential: the excludeList is ignored",
            [
                "credProtect.level2.excluded", "credProtect.level3.excludedVerified", "makeCredential.excludeList",
                "makeCredential.form", "makeCredential.type", "u2f.bridge.excluded", "uv.token.userPresentExcluded",
            ], of: .makeCredential
        ) { $0[0x05] = nil },
        .request(
            "makeCredential: the extensions are ignored",
            [
                "credBlob.longest", "credBlob.next", "credBlob.powerCycle", "credBlob.stored", "credBlob.tooLong",
                "credBlob.wrongType", "credProtect.level1", "credProtect.level2", "credProtect.level2.unnamed",
                "credProtect.level3",
                "credProtect.unknownLevel", "credProtect.wrongType",
                "credentialManagement.enumerateCredentials.credProtect",
                "credentialManagement.enumerateCredentials.thirdPartyPayment",
                "credentialManagement.preview.enumerateCredentials.credProtect",
                "credentialManagement.preview.enumerateCredentials.thirdPartyPayment", "extensions.wrongType",
                "hmacSecret.enabled", "hmacSecret.mc", "hmacSecret.wrongType", "largeBlobKey.false",
                "largeBlobKey.nonDiscoverable", "largeBlobKey.own", "largeBlobKey.registration",
                "largeBlobKey.wrongType", "makeCredential.flags.edWithOutput", "makeCredential.type",
                "minPinLength.listed", "minPinLength.powerCycle", "minPinLength.wrongType",
                "pinComplexityPolicy.enforced", "pinComplexityPolicy.listed", "pinComplexityPolicy.wrongType",
                "thirdPartyPayment.registration", "thirdPartyPayment.true", "thirdPartyPayment.wrongType",
                "u2f.bridge.protected", "uvm.registration", "uvm.wrongType",
            ], of: .makeCredential
        ) { $0[0x06] = nil },
        .request(
            "makeCredential: the options are ignored",
            [
                "getAssertion.several.verifiedNames", "getInfo.truth.withoutUV", "keepalive.makeCredentialUV.timeout",
                "makeCredential.account.full", "makeCredential.form.options.rk.type", "makeCredential.options.rk.true",
                "makeCredential.options.up.false", "makeCredential.type", "makeCredential.withoutToken.discoverable",
                "uv.notRequired.discoverable", "uv.option",
            ], of: .makeCredential
        ) { $0[0x07] = nil },
        .request(
            "makeCredential: only the first algorithm counts",
            [
                "makeCredential.algorithms.afterUnknown", "makeCredential.algorithms.mixedTypes",
                "makeCredential.form.pubKeyCredParams.later",
            ], of: .makeCredential
        ) { parameters in
            guard case .array(let algorithms)? = parameters[0x04], !algorithms.isEmpty else { return }
            parameters[0x04] = .array([algorithms[0]])
        },
        .request(
            "makeCredential: enterpriseAttestation is ignored",
            ["config.enableEnterpriseAttestation", "makeCredential.enterpriseAttestation", "makeCredential.type"],
            of: .makeCredential
        ) { $0[0x0A] = nil },
        .request(
            "makeCredential: the name of the user is forgotten",
            [
                "credentialManagement.enumerateCredentials.user",
                "credentialManagement.preview.enumerateCredentials.user", "getAssertion.several.verifiedNames",
                "makeCredential.form.user.name.type",
            ], of: .makeCredential
        ) { parameters in
            guard case .map(var user)? = parameters[0x03] else { return }
            user["name"] = nil
            parameters[0x03] = .map(user)
        },
    ]

    private static let assertions: [WireChange] = [
        .response(
            "getAssertion: no signature",
            [
                "credentialManagement.preview.update.keepsKey", "credentialManagement.update.keepsKey",
                "getAssertion.algorithm", "getAssertion.discovered", "getAssertion.discovered.allowed",
                "getAssertion.next.signatures", "getAssertion.signature", "getAssertion.silent.signs",
                "u2f.bridge.assertion",
            ], to: .getAssertion
        ) { $0[0x03] = nil },
        .response(
            "getAssertion: a signature with another byte",
            [
                "credentialManagement.preview.update.keepsKey", "credentialManagement.update.keepsKey",
                "getAssertion.algorithm", "getAssertion.discovered", "getAssertion.discovered.allowed",
                "getAssertion.next.signatures", "getAssertion.signature", "getAssertion.silent.signs",
                "u2f.bridge.assertion",
            ], to: .getAssertion
        ) { response in
            if case .bytes(let bytes)? = response[0x03] { response[0x03] = .bytes(bytes + [0]) }
        },
        .response("getAssertion: a credential of another type", ["getAssertion.credential.type"], to: .getAssertion) {
            response in
            guard case .map(var credential)? = response[0x01] else { return }
            credential["type"] = "public"
            response[0x01] = .map(credential)
        },
        .response(
            "getAssertion: a user's name without verification",
            ["getAssertion.several.unverifiedNames", "getAssertion.several.verifiedNames"], to: .getAssertion
        ) { response in
            guard case .map(var user)? = response[0x04] else { return }
            user["name"] = "ada"
            response[0x04] = .map(user)
        },
        .response(
            "getAssertion: no user",
            [
                "getAssertion.discovered.longestUserHandle", "getAssertion.discovered.userHandle",
                "getAssertion.next.userHandle", "getAssertion.several.verifiedNames",
            ], to: .getAssertion
        ) { $0[0x04] = nil },
        .response("getAssertion: numberOfCredentials 1", ["makeCredential.account.replaced"], to: .getAssertion) {
            $0[0x05] = $0[0x05] ?? 1
        },
        .response(
            "getAssertion: no numberOfCredentials", ["getAssertion.several.count", "state.getNextAssertion.order"],
            to: .getAssertion
        ) { $0[0x05] = nil },
        .response("getAssertion: userSelected without a display", ["getAssertion.withoutSelection"], to: .getAssertion)
        { $0[0x06] = true },
        .response(
            "getAssertion: a largeBlobKey without a request",
            ["getAssertion.withoutLargeBlobKey", "largeBlobKey.notAsked"], to: .getAssertion
        ) {
            $0[0x07] = $0[0x07] ?? .bytes([UInt8](repeating: 7, count: 32))
        },
        .response("getNextAssertion: numberOfCredentials", ["getAssertion.next.withoutCount"], to: .getNextAssertion) {
            $0[0x05] = 2
        },
        .response("getNextAssertion: no user", ["getAssertion.next.userHandle"], to: .getNextAssertion) {
            $0[0x04] = nil
        },
        .request(
            "getAssertion: the allowList is ignored",
            ["getAssertion.type.allowList.integer", "makeCredential.account.replacedUnusable"], of: .getAssertion
        ) { $0[0x03] = nil },
        .request(
            "getAssertion: the extensions are ignored",
            [
                "credBlob.assertionWrongType", "credBlob.longest", "credBlob.next", "credBlob.none",
                "credBlob.powerCycle", "credBlob.stored", "credBlob.tooLong", "extensions.wrongType",
                "getAssertion.type", "hmacSecret.input",
                "hmacSecret.mc.one", "hmacSecret.protocol1", "hmacSecret.protocol2", "largeBlobKey.assertion",
                "largeBlobKey.assertionFalse", "largeBlobKey.next", "thirdPartyPayment.false", "thirdPartyPayment.true",
                "uvm.assertion", "uvm.finger", "uvm.passcode",
            ], of: .getAssertion
        ) { $0[0x04] = nil },
        .request(
            "getAssertion: the options are ignored",
            [
                "getAssertion.form.options.up.type", "getAssertion.options", "getAssertion.silent.signs",
                "getAssertion.type", "hmacSecret.input.silent", "keepalive.getAssertionUV.timeout",
                "uv.always.silentAssertion", "uv.option", "uvm.finger",
            ], of: .getAssertion
        ) { $0[0x05] = nil },
        .skipped(
            "selection succeeds without a touch",
            [
                "cancel.selection.status", "hid.busy", "hid.cancel", "hid.init.aborts", "hid.keepalive",
                "keepalive.selection", "selection.cancel", "selection.declined",
                "selection.timeout",
            ], .selection, nil),
    ]

    private static let pins: [WireChange] = [
        .request(
            "setPIN: a peer key's alg is not looked at",
            [
                "clientPIN.protocol1.setPIN.key.missingAlg", "clientPIN.protocol1.setPIN.key.otherAlg",
                "clientPIN.protocol2.setPIN.key.missingAlg", "clientPIN.protocol2.setPIN.key.otherAlg",
            ], of: .clientPIN, 3
        ) { parameters in
            guard case .map(var key)? = parameters[0x03] else { return }
            key[3] = -25
            parameters[0x03] = .map(key)
        },
        .response(
            "getPINRetries: nine retries",
            [
                "clientPIN.protocol1.changePIN.wrongPIN", "clientPIN.protocol1.retries.decrement",
                "clientPIN.protocol2.changePIN.wrongPIN", "clientPIN.protocol2.retries.decrement", "clientPIN.retries",
                "uv.token.pinBlockedBlocks",
            ], to: .clientPIN, 1
        ) { $0[0x03] = 9 },
        .response(
            "getPINRetries: retries never fall",
            [
                "clientPIN.protocol1.changePIN.wrongPIN", "clientPIN.protocol1.retries.decrement",
                "clientPIN.protocol2.changePIN.wrongPIN", "clientPIN.protocol2.retries.decrement",
                "clientPIN.retries.blocked",
            ], to: .clientPIN, 1
        ) { $0[0x03] = 8 },
        .response(
            "getPINRetries: no pinRetries",
            [
                "clientPIN.protocol1", "clientPIN.protocol2", "clientPIN.retries", "reset.retries",
                "uv.token.pinBlockedBlocks",
            ], to: .clientPIN, 1
        ) { $0[0x03] = nil },
        .response(
            "getUVRetries: no uvRetries",
            ["cancel.tokenUsingUV.keepsRetries", "clientPIN.uvRetries.range", "uv.option", "uv.token"], to: .clientPIN,
            7
        ) { $0[0x05] = nil },
        .response(
            "getUVRetries: retries never fall", ["uv.token.pinBlockedBlocks", "uv.token.wrongFinger"], to: .clientPIN, 7
        ) { $0[0x05] = 5 },
        .key("getKeyAgreement: no alg", ["clientPIN.protocol1", "clientPIN.protocol2"]) { $0[3] = nil },
        .key(
            "getKeyAgreement: another alg",
            [
                "clientPIN.protocol1.keyAgreement.alg", "clientPIN.protocol1.keyAgreement.usable",
                "clientPIN.protocol2.keyAgreement.alg", "clientPIN.protocol2.keyAgreement.usable",
            ]
        ) { $0[3] = -7 },
        .key(
            "getKeyAgreement: a kid",
            ["clientPIN.protocol1.keyAgreement.onlyTheseMembers", "clientPIN.protocol2.keyAgreement.onlyTheseMembers"]
        ) { $0[2] = .bytes([1]) },
    ]

    private static let management: [WireChange] = [
        .response(
            "getCredsMetadata: one credential more",
            ["credentialManagement.enumerateRPs.none"], to: .credentialManagement, 1
        ) { $0.add(1, to: 0x01) },
        .response(
            "getCredsMetadata: the remaining count never falls",
            ["credentialManagement.metadata.counts", "credentialManagement.metadata.getInfo"],
            to: .credentialManagement, 1
        ) { $0[0x02] = 20 },
        .response("enumerateRPsBegin: one RP more", ["credentialManagement.enumerateRPs"], to: .credentialManagement, 2)
        { $0.add(1, to: 0x05) },
        .response(
            "enumerateRPsBegin: no rpIDHash",
            ["credentialManagement.enumerateRPs.found", "credentialManagement.enumerateRPs.eachHash"],
            to: .credentialManagement, 2
        ) { $0[0x04] = nil },
        .response("enumerateRPsBegin: no rp", ["credentialManagement.enumerateRPs.found"], to: .credentialManagement, 2)
        { $0[0x03] = nil },
        .response(
            "enumerateRPsGetNextRP: another hash", ["credentialManagement.enumerateRPs"], to: .credentialManagement, 3
        ) { $0[0x04] = .bytes([UInt8](repeating: 7, count: 32)) },
        .response(
            "enumerateRPsGetNextRP: totalRPs", ["credentialManagement.enumerateRPs.totalOnlyFirst"],
            to: .credentialManagement, 3
        ) { $0[0x05] = 2 },
        .response(
            "enumerateCredentialsBegin: no user",
            [
                "credentialManagement.enumerateCredentials.user", "credentialManagement.update.name",
                "credentialManagement.update.removesName",
            ], to: .credentialManagement, 4
        ) { $0[0x06] = nil },
        .response(
            "enumerateCredentialsBegin: no credentialID",
            [
                "credentialManagement.delete.others", "credentialManagement.enumerateCredentials.all",
                "credentialManagement.enumerateCredentials.descriptor",
            ], to: .credentialManagement, 4
        ) { $0[0x07] = nil },
        .response(
            "enumerateCredentialsBegin: no publicKey", ["credentialManagement.enumerateCredentials.publicKey"],
            to: .credentialManagement, 4
        ) { $0[0x08] = nil },
        .response(
            "enumerateCredentialsBegin: one more",
            [
                "credentialManagement.delete.others", "credentialManagement.enumerateCredentials",
                "credentialManagement.update.name", "credentialManagement.update.removesName",
            ], to: .credentialManagement, 4
        ) { $0.add(1, to: 0x09) },
        .response(
            "enumerateCredentialsBegin: no credProtect", ["credentialManagement.enumerateCredentials.credProtect"],
            to: .credentialManagement, 4
        ) { $0[0x0A] = nil },
        .response(
            "enumerateCredentialsBegin: no largeBlobKey", ["credentialManagement.enumerateCredentials.largeBlobKey"],
            to: .credentialManagement, 4
        ) { $0[0x0B] = nil },
        .response(
            "enumerateCredentialsGetNext: the total", ["credentialManagement.enumerateCredentials.totalOnlyFirst"],
            to: .credentialManagement, 5
        ) { $0[0x09] = 2 },
        .skipped(
            "deleteCredential does nothing",
            [
                "credentialManagement.delete", "credentialManagement.persistentToken.deletesNothing",
                "credentialManagement.persistentToken.storeState",
            ],
            .credentialManagement, 6),
        .skipped(
            "updateUserInformation does nothing",
            [
                "credentialManagement.persistentToken.renamesNothing",
                "credentialManagement.persistentToken.storeState", "credentialManagement.update",
            ],
            .credentialManagement, 7),
    ]

    private static let fingers: [WireChange] = [
        .response(
            "getFingerprintSensorInfo: an undefined fingerprintKind", ["bioEnrollment.sensorInfo"], to: .bioEnrollment,
            7
        ) { $0[0x02] = 3 },
        .response("getFingerprintSensorInfo: no samples", ["bioEnrollment.sensorInfo"], to: .bioEnrollment, 7) {
            $0[0x03] = 0
        },
        .response(
            "enrollBegin: no templateId",
            [
                "bioEnrollment.enrol", "bioEnrollment.enumerate.one", "bioEnrollment.remove",
                "bioEnrollment.setFriendlyName",
            ], to: .bioEnrollment, 1
        ) { $0[0x04] = nil },
        .response(
            "enrollBegin: an undefined sample status", ["bioEnrollment.enrol.first", "bioEnrollment.enrol.noActivity"],
            to: .bioEnrollment, 1
        ) { $0[0x05] = 0x55 },
        .response(
            "enrollCaptureNextSample: the remaining count never falls",
            [
                "bioEnrollment.enrol.complete", "bioEnrollment.enrol.poorSample", "bioEnrollment.enumerate.one",
                "bioEnrollment.remove", "bioEnrollment.setFriendlyName",
            ], to: .bioEnrollment, 2
        ) { $0[0x06] = 4 },
        .response("enumerateEnrollments: no names", ["bioEnrollment.setFriendlyName.listed"], to: .bioEnrollment, 4) {
            response in
            guard case .array(let infos)? = response[0x07] else { return }
            response[0x07] = .array(
                infos.map { info in
                    guard case .map(var info) = info else { return info }
                    info[0x02] = nil
                    return .map(info)
                })
        },
        .skipped("setFriendlyName does nothing", ["bioEnrollment.setFriendlyName"], .bioEnrollment, 5),
        .skipped(
            "removeEnrollment does nothing", ["bioEnrollment.remove", "bioEnrollment.removeEnrollment"], .bioEnrollment,
            6),
    ]

    private static let blobs: [WireChange] = [
        .response(
            "largeBlobs: a read gives a byte less",
            ["largeBlobs.checksum", "largeBlobs.get.part", "largeBlobs.initial", "largeBlobs.set"],
            to: .largeBlobs
        ) { response in
            if case .bytes(let bytes)? = response[0x01] { response[0x01] = .bytes(bytes.dropLast()) }
        },
        .request(
            "largeBlobs: the offset of a read is ignored", ["largeBlobs.get", "largeBlobs.request"], of: .largeBlobs
        ) { parameters in
            if parameters[0x01] != nil { parameters[0x03] = 0 }
        },
    ]

    private static let settings: [WireChange] = [
        .skipped(
            "enableEnterpriseAttestation does nothing", ["config", "makeCredential.enterpriseAttestation"], .config, 1),
        .skipped(
            "toggleAlwaysUv does nothing",
            ["config.toggleAlwaysUv.powerCycle", "config.toggleAlwaysUv.toggled", "uv.always"], .config, 2),
        .skipped(
            "setMinPINLength does nothing",
            [
                "clientPIN.forcePINChange", "clientPIN.protocol1.getPinToken.config",
                "clientPIN.protocol2.getPinToken.config", "config.otherParameters", "config.setMinPINLength",
                "config.subCommandParams.wrongType", "minPinLength.listed", "minPinLength.powerCycle",
                "pinComplexityPolicy.enforced", "pinComplexityPolicy.listed", "pinComplexityPolicy.simplePIN",
            ], .config, 3),
        .request(
            "setMinPINLength: forceChangePin is ignored",
            ["clientPIN.forcePINChange", "config.setMinPINLength", "reset.forcePINChange"], of: .config, 3
        ) { $0.drop(0x03, of: 0x02) },
        .request(
            "setMinPINLength: the RP IDs are ignored",
            [
                "config.setMinPINLength", "minPinLength.listed", "minPinLength.notAsked", "minPinLength.otherRP",
                "minPinLength.powerCycle", "minPinLength.replaced", "minPinLength.reset", "minPinLength.wrongType",
                "pinComplexityPolicy.enforced", "pinComplexityPolicy.listed", "pinComplexityPolicy.otherRP",
                "pinComplexityPolicy.simplePIN", "pinComplexityPolicy.wrongType",
            ], of: .config, 3
        ) { $0.drop(0x02, of: 0x02) },
    ]

    private static let statuses: [WireChange] = [
        .status(
            [
                "bioEnrollment.enrol.platformCancel", "bioEnrollment.preview.enrol.platformCancel",
                "cancel.getAssertion.status", "cancel.getAssertionUV.status", "cancel.makeCredential.status",
                "cancel.makeCredentialUV.status", "cancel.selection.status", "cancel.tokenUsingUV.status",
                "getAssertion.presence.cancelled", "hid.cancel.waiting", "makeCredential.presence.cancelled",
                "reset.cancelled", "selection.cancel",
            ], .keepaliveCancel, as: .operationDenied),
        .status(
            [
                "keepalive.getAssertionUV.timeout", "keepalive.makeCredentialUV.timeout", "keepalive.selection.timeout",
                "keepalive.tokenUsingUV.timeout", "reset.withheld", "selection.timeout", "uv.option.timeout",
                "uv.token.timeout",
            ], .userActionTimeout, as: .operationDenied),
        .status(
            [
                "credProtect.level2.excluded", "credProtect.level3.excludedVerified", "makeCredential.excludeList",
                "u2f.bridge.excluded", "uv.token.userPresentExcluded",
            ], .credentialExcluded,
            as: .operationDenied),
        .status(
            ["general.unassigned", "hid.cbor.refusal"], .invalidCommand,
            as: .invalidParameter),
        .status(
            ["largeBlobs.set.wrongChecksum"], .integrityFailure,
            as: .invalidParameter),
        .status(["largeBlobs.set"], .invalidSequence, as: .invalidParameter),
        .status(
            ["largeBlobs.set.tooLong"], .largeBlobStorageFull,
            as: .invalidParameter),
        .status(
            [
                "credentialManagement.enumerateCredentials", "credentialManagement.enumerateRPs.end",
                "credentialManagement.enumerateRPs.interrupted", "credentialManagement.enumerateRPs.notBegun",
                "credentialManagement.preview",
                "general.nextAssertionFirst", "getAssertion.next.afterSingle", "getAssertion.next.exhausted",
                "reset.late", "state.getNextAssertion", "uv.token.notConfigured",
            ], .notAllowed, as: .invalidCommand),
        .status(
            [
                "clientPIN.forcePINChange.getPinToken", "clientPIN.protocol1", "clientPIN.protocol2",
                "clientPIN.retries", "reset.retries", "uv.token.pinBlockedBlocks",
            ], .pinInvalid, as: .pinAuthInvalid),
        .status(
            [
                "bioEnrollment", "clientPIN.forcePINChange.endsTokens", "clientPIN.protocol1", "clientPIN.protocol2",
                "clientPIN.retries.blockedSet", "clientPIN.token", "config.noPermission", "config.noPrefix",
                "config.otherParameters", "config.wrongCode", "credentialManagement", "getAssertion.permission",
                "getAssertion.pinUvAuthParam", "hmacSecret.mc.wrongSaltAuth", "hmacSecret.protocol1.wrongSaltAuth",
                "hmacSecret.protocol2.wrongSaltAuth", "largeBlobs.set.noPermission", "largeBlobs.set.wrongCode",
                "makeCredential.permission", "makeCredential.pinUvAuthParam",
            ], .pinAuthInvalid, as: .pinInvalid),
        .status(
            [
                "clientPIN.protocol1.changePIN.threeWrong", "clientPIN.protocol2.changePIN.threeWrong",
                "clientPIN.retries", "uv.token.pinBlockedBlocks",
            ], .pinAuthBlocked,
            as: .pinBlocked),
        .status(
            ["clientPIN.protocol1", "clientPIN.protocol2", "config.setMinPINLength.forceWithoutPIN", "reset.pin"],
            .pinNotSet, as: .pinInvalid),
        .status(
            ["clientPIN.permissions.persistentAlone"],
            .unauthorizedPermission, as: .notAllowed),
        .status(
            ["hmacSecret.input.silent"], .unsupportedOption,
            as: .invalidOption),
        .status(
            ["makeCredential.algorithms.unknownType", "makeCredential.algorithms.unsupported"], .unsupportedAlgorithm,
            as: .invalidParameter),
    ]
}

extension CBOR.Map {
    /// Adds to a number.
    fileprivate mutating func add(_ count: UInt64, to key: Int) {
        if case .unsigned(let number)? = self[key] { self[key] = .unsigned(number + count) }
    }

    /// Removes a member of an inner map.
    fileprivate mutating func drop(_ key: Int, of outer: Int) {
        guard case .map(var inner)? = self[outer] else { return }
        inner[key] = nil
        self[outer] = .map(inner)
    }
}

extension WireChange {
    /// Changes the authenticator data of each success of a command.
    fileprivate static func data(
        _ name: String, _ cases: [String], of command: CTAPCommand,
        _ edit: @escaping @Sendable (inout [UInt8]) -> Void
    ) -> WireChange {
        response(name, cases, to: command, nil) { (response: inout CBOR.Map) in
            guard case .bytes(var bytes)? = response[0x02], bytes.count >= 37 else { return }
            edit(&bytes)
            response[0x02] = .bytes(bytes)
        }
    }

    /// Changes the key of getKeyAgreement.
    fileprivate static func key(
        _ name: String, _ cases: [String], _ edit: @escaping @Sendable (inout CBOR.Map) -> Void
    ) -> WireChange {
        response(name, cases, to: .clientPIN, 2) { (response: inout CBOR.Map) in
            guard case .map(var key)? = response[0x01] else { return }
            edit(&key)
            response[0x01] = .map(key)
        }
    }

    /// Answers a command, or one of its subcommands, with a success without doing anything.
    fileprivate static func skipped(
        _ name: String, _ cases: [String], _ command: CTAPCommand, _ subcommand: Int?
    ) -> WireChange {
        WireChange(name, cases) { turn in
            guard turn.command == command, subcommand == nil || turn.subcommand == subcommand else {
                return try await turn.passed()
            }
            return [0]
        }
    }
}
