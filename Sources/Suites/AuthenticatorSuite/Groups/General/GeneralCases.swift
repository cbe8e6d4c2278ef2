internal import CBOR
internal import CTAP
internal import Conformance

extension AuthenticatorSuite {
    /// Commands as such (CTAP 2.3 §8).
    package static let general = Group(
        "general", "Commands",
        unassignedCommands + absentCommands + [
            Case(
                "general.afterUnknownCommand", "The authenticator serves the next request after an unknown command.",
                .ctap("8.1"), needs: [.ctap2]
            ) { bench in
                // The answer to the command itself is judged by general.unassigned.0x0E.
                do { _ = try await bench.send([0x0E]) } catch CTAPDeviceError.timedOut {}
                bench.expect(try await bench.send(.getInfo), .ok, for: "a getInfo")
            },
            Case(
                "general.vendorCommand", "The authenticator refuses or serves a vendor command, and goes on.",
                .ctap("8.1"), needs: [.ctap2]
            ) { bench in
                _ = try await bench.send([0xBF])
                bench.expect(try await bench.send(.getInfo), .ok, for: "a getInfo after the vendor command 0xBF")
            },
            Case(
                "general.longestMessage", "The authenticator accepts a message of maxMsgSize bytes.",
                .ctap("6.4"), needs: [.ctap2]
            ) { bench in
                let size = bench.info.maxMsgSize ?? 1024
                let answer = try await bench.send(paddedAssertion(size, bench))
                bench.expect(
                    ![.requestTooLarge, .invalidLength, .limitExceeded].contains(answer.status),
                    "an answer to a message of \(size) bytes that does not refuse its length", seen: answer.seen)
            },
            Case(
                "general.tooLongMessage", "The authenticator refuses a message that is longer than maxMsgSize.",
                .ctap("6.4"), level: .should, needs: [.ctap2]
            ) { bench in
                let size = (bench.info.maxMsgSize ?? 1024) + 1
                // A CTAPHID message carries no more.
                guard size <= 7609 else { throw CaseStop.notApplicable("no CTAPHID message is longer than maxMsgSize") }
                let answer = try await bench.send(paddedAssertion(size, bench))
                bench.expect(
                    answer, .requestTooLarge, .invalidLength, .limitExceeded, .invalidCBOR,
                    for: "a message of \(size) bytes")
            },
            Case("general.statusAlone", "A refusal has no response beside its status.", .ctap("8"), needs: [.ctap2]) {
                bench in
                let answer = try await bench.send([0x0E])
                bench.expect(answer.bytes.count == 1, "one byte", seen: "\(answer.bytes.count) bytes")
            },
            Case(
                "general.nextAssertionFirst", "GetNextAssertion without a GetAssertion before it is refused.",
                .ctap("6.3"), needs: [.ctap2]
            ) { bench in
                _ = try await bench.send(.getInfo)
                bench.expect(try await bench.send(.getNextAssertion), .notAllowed)
            },
        ])

    /// Bytes between the commands of the specification.
    private static let unassignedCommands = [0x00, 0x03, 0x05, 0x0E, 0x0F, 0x20, 0x3F].map { (byte: UInt8) in
        let name = "0x" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        return Case(
            "general.unassigned.\(name)", "The authenticator refuses the unassigned command \(name).", .ctap("8.1"),
            needs: [.ctap2]
        ) { bench in
            // CTAP 2.0 has the status, and no demand of it.
            bench.expect(
                try await bench.send([byte]), .invalidCommand, for: "the command \(name)",
                level: bench.obstacle(to: .ctap21) == nil ? .must : .should)
        }
    }

    private static let absentCommands = [
        ("clientPIN", CTAPCommand.clientPIN, [AuthenticatorNeed.optionAbsent(.clientPin), .optionAbsent(.uv)]),
        ("bioEnrollment", .bioEnrollment, [.optionAbsent(.bioEnroll)]),
        ("bioEnrollmentPreview", .bioEnrollmentPreview, [.optionAbsent(.userVerificationMgmtPreview)]),
        ("credentialManagement", .credentialManagement, [.optionAbsent(.credMgmt)]),
        ("credentialManagementPreview", .credentialManagementPreview, [.optionAbsent(.credentialMgmtPreview)]),
        ("largeBlobs", .largeBlobs, [.optionAbsent(.largeBlobs)]), ("config", .config, [.optionAbsent(.authnrCfg)]),
    ].map { name, command, needs in
        Case(
            "general.absent.\(name)", "The authenticator refuses \(command), which getInfo does not declare.",
            .ctap("8.1"), needs: [.ctap2] + needs
        ) { bench in
            let answer = try await bench.send(command, [1: 1, 2: 1])
            bench.expect(answer, .invalidCommand, for: "a command that getInfo does not declare")
        }
    }

    /// A GetAssertion of an exact size that finds no credential.
    private static func paddedAssertion(_ size: Int, _ bench: AuthenticatorBench) -> [UInt8] {
        var parameters = bench.getAssertionParameters()
        parameters[3] = [["id": .bytes(bench.randomBytes(16)), "type": "public-key"]]
        parameters[5] = ["up": false]
        let plain = CBOR.encode(.map(parameters)).count + 1
        // The member's key takes two bytes; its head three.
        parameters[0x7E] = .bytes([UInt8](repeating: 0, count: max(256, size - plain - 5)))
        return [CTAPCommand.getAssertion.rawValue] + CBOR.encode(.map(parameters))
    }
}
