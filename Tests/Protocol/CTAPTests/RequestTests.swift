import CBOR
import COSE
import CTAP
import Testing

@Suite("Requests")
struct RequestTests {
    /// A request's reader without its result: the test looks at its errors.
    struct Reader: Sendable, CustomStringConvertible {
        let description: String
        let good: CBOR.Value
        let shapes: [Shape]
        let read: @Sendable (CBOR.Value) throws(Refusal) -> Void

        func refusal(of message: CBOR.Value) -> Refusal? {
            do {
                try read(message)
                return nil
            } catch {
                return error
            }
        }
    }

    static let readers = [
        Reader(
            description: "MakeCredential", good: Samples.makeCredential.cbor, shapes: Samples.makeCredentialShapes,
            read: { value throws(Refusal) in _ = try MakeCredentialRequest(cbor: value) }),
        Reader(
            description: "GetAssertion", good: Samples.getAssertion.cbor, shapes: Samples.getAssertionShapes,
            read: { value throws(Refusal) in _ = try GetAssertionRequest(cbor: value) }),
        Reader(
            description: "ClientPIN", good: Samples.clientPIN.cbor, shapes: Samples.clientPINShapes,
            read: { value throws(Refusal) in _ = try ClientPINRequest(cbor: value) }),
    ]

    @Test func aMakeCredentialRequestRoundTrips() throws {
        var minimal = Samples.makeCredential
        minimal.excludeList = nil
        minimal.extensions = nil
        minimal.options = [:]
        minimal.pinUvAuthParam = nil
        minimal.pinUvAuthProtocol = nil
        minimal.enterpriseAttestation = nil
        minimal.attestationFormatsPreference = nil
        minimal.rp.name = nil
        minimal.user.name = nil
        minimal.user.displayName = nil
        for request in [Samples.makeCredential, minimal] {
            #expect(try MakeCredentialRequest(cbor: CBOR.decode(CBOR.encode(request.cbor))) == request)
        }
        #expect(try minimal.cbor.asMap("the request").keys == [1, 2, 3, 4])
    }

    @Test func aGetAssertionRequestRoundTrips() throws {
        let minimal = GetAssertionRequest(relyingPartyID: "a.example", clientDataHash: Samples.hash)
        for request in [Samples.getAssertion, minimal] {
            #expect(try GetAssertionRequest(cbor: CBOR.decode(CBOR.encode(request.cbor))) == request)
        }
        #expect(try minimal.cbor.asMap("the request").keys == [1, 2])
    }

    @Test func aClientPINRequestRoundTrips() throws {
        for request in [Samples.clientPIN, ClientPINRequest(subCommand: .getPINRetries)] {
            #expect(try ClientPINRequest(cbor: CBOR.decode(CBOR.encode(request.cbor))) == request)
        }
    }

    @Test(arguments: readers)
    func everyMemberOfTheWrongTypeIsAnUnexpectedType(reader: Reader) {
        #expect(reader.refusal(of: reader.good) == nil)
        for shape in reader.shapes {
            for value in shape.wrong {
                let refusal = reader.refusal(of: shape.replace(in: reader.good, by: value))
                #expect(refusal?.status == .cborUnexpectedType, "\(shape) as \(value)")
                #expect(refusal?.reason.label == "message.unexpectedType", "\(shape) as \(value)")
            }
        }
    }

    @Test(arguments: readers)
    func aRequiredMemberThatIsMissingIsAMissingParameter(reader: Reader) {
        for shape in reader.shapes {
            let refusal = reader.refusal(of: shape.replace(in: reader.good, by: nil))
            #expect(refusal?.status == (shape.isRequired ? .missingParameter : nil), "\(shape)")
            #expect(refusal?.reason.label == (shape.isRequired ? "message.missingParameter" : nil), "\(shape)")
        }
    }

    @Test(arguments: readers)
    func aMessageOtherThanAMapIsAnUnexpectedType(reader: Reader) {
        for value in Shape.samples where value.kind != .map {
            #expect(reader.refusal(of: value)?.status == .cborUnexpectedType, "\(value)")
        }
        #expect(reader.refusal(of: [:])?.status == .missingParameter)
    }

    @Test(arguments: readers)
    func unknownMembersAreIgnoredAtEveryLevel(reader: Reader) {
        let maps = reader.shapes.filter { $0.kinds == [.map] && $0.name != "options" }
        for shape in maps + [Shape("the message", [], [.map])] {
            // The keys of extensions are text by definition.
            let keys: [CBOR.Value] = shape.name == "extensions" ? ["future"] : [0x7F, -5, "future", .bytes([1])]
            for key in keys {
                let stranger = Shape(shape.name, shape.path + [.key(key)], [])
                #expect(
                    reader.refusal(of: stranger.replace(in: reader.good, by: ["a": [1]])) == nil, "\(key) in \(shape)")
            }
        }
    }

    @Test func keysOfOptionsAndExtensionsMustBeText() {
        for (reader, member) in [
            (Self.readers[0], 7), (Self.readers[0], 6), (Self.readers[1], 5), (Self.readers[1], 4),
        ] {
            let message = Shape("", [.key(.integer(member))], []).replace(in: reader.good, by: [1: true])
            #expect(reader.refusal(of: message)?.status == .cborUnexpectedType)
        }
    }

    @Test func integersBeyondTheRangeOfIntAreInvalidParameters() {
        let huge = CBOR.Value.unsigned(.max)
        let cases: [(Reader, [Shape.Step])] = [
            (Self.readers[0], [.key(9)]), (Self.readers[0], [.key(0x0A)]),
            (Self.readers[0], [.key(4), .index(0), .key("alg")]), (Self.readers[1], [.key(7)]),
            (Self.readers[2], [.key(1)]), (Self.readers[2], [.key(2)]), (Self.readers[2], [.key(9)]),
        ]
        for (reader, path) in cases {
            let refusal = reader.refusal(of: Shape("", path, []).replace(in: reader.good, by: huge))
            #expect(refusal?.status == .invalidParameter)
            #expect(refusal?.reason.label == "message.outOfRange")
        }
        let algorithm = Shape("", [.key(4), .index(0), .key("alg")], [])
        let refusal = Self.readers[0].refusal(of: algorithm.replace(in: Self.readers[0].good, by: .negative(.max)))
        #expect(refusal?.status == .invalidParameter)
    }

    @Test func aRefusalNamesWhereInTheMessageItIs() {
        let path: [Shape.Step] = [.key(5), .index(0), .key("transports"), .index(0)]
        let message = Shape("", path, []).replace(in: Samples.makeCredential.cbor, by: 1)
        let refusal = Self.readers[0].refusal(of: message)
        #expect(refusal?.detail?.hasPrefix("excludeList[0].transports") == true)
        #expect(refusal?.reason.clause == "CTAP 2.3 §8")
    }

    @Test(arguments: CBOR.Rule.allCases)
    func everyBreachOfCanonicalFormIsInvalidCBORUnderItsOwnLabel(rule: CBOR.Rule) {
        let refusal = Refusal(CBOR.DecodingError(rule: rule, offset: 3))
        #expect(refusal.status == .invalidCBOR)
        #expect(refusal.reason.label == "message.\(rule.rawValue)")
    }

    @Test func anUnknownSubcommandSurvivesReading() throws {
        #expect(try ClientPINRequest(cbor: [2: 0x7E]).subCommand == 0x7E)
    }
}
