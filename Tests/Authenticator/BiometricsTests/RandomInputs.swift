import Biometrics

/// SplitMix64: small, and the same sequence on every machine.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

/// Inputs in an order that no user, system or app would send.
enum RandomInputs {
    static func next(_ random: inout SeededGenerator) -> GateInput {
        let flag = Bool.random(using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<26:
            return .begin(
                PromptOptions(
                    allowsDeviceCredential: flag,
                    demandsDeviceCredential: Int.random(in: 0..<8, using: &random) == 0,
                    allowsBiometrics: Int.random(in: 0..<16, using: &random) != 0,
                    minimumClass: Int.random(in: 0..<4, using: &random) == 0
                        ? StrengthClass.allCases.randomElement(using: &random) : nil,
                    purpose: Int.random(in: 0..<3, using: &random) == 0 ? .unlock : .app,
                    wantsConfirmation: Bool.random(using: &random)))
        case 26..<78: return .present(act(&random))
        case 78..<88: return enrolment(&random)
        case 88: return .removeAllTemplates
        case 89:
            return .setAvailability(
                SensorAvailability.allCases.randomElement(using: &random) ?? .present, on: modality(&random))
        case 90..<94: return .setAvailability(.present, on: modality(&random))
        case 94: return flag ? .removeDeviceCredential : .setDeviceCredential(.pin)
        case 95: return flag ? .setDeviceCredential(.passcode) : .resetDeviceCredential(.pin)
        case 96: return .enterDeviceCredential(correct: true)
        case 97: return .enterDeviceCredential(correct: false)
        case 98:
            return flag
                ? .requireCredential(StrongAuthenticationReason.allCases.randomElement(using: &random) ?? .restart)
                : .lockOut(modality(&random))
        default:
            return [.exhaust, .refill, .powerCycle].randomElement(using: &random) ?? .refill
        }
    }

    private static func act(_ random: inout SeededGenerator) -> GateAct {
        let flag = Bool.random(using: &random)
        switch Int.random(in: 0..<53, using: &random) {
        case 0..<16: return flag ? .nonMatch : .spoof
        case 16..<28: return .sample(sample(&random), on: modality(&random) ?? .face)
        case 28..<32: return .match(templateID: flag ? nil : template(&random).id)
        case 32: return .inattentiveMatch
        case 33, 34: return .badCapture(AcquiredHint.allCases.randomElement(using: &random) ?? .partial)
        case 35..<40: return .confirm
        case 40: return .declineConfirmation
        case 41..<45: return .passcode(correct: flag)
        case 45: return .fallback
        case 46: return flag ? .cancelByUser : .challengePhrase
        case 47: return flag ? .cancelBySystem : .leaveScreen
        case 48: return .cancelByApp
        case 49:
            return flag ? .powerButton : .sensorError(SensorError.allCases.randomElement(using: &random) ?? .vendor)
        case 50: return .tryAgain
        case 51: return flag ? .giveUp : .noAnswer
        default: return .noAnswer
        }
    }

    private static func sample(_ random: inout SeededGenerator) -> Sample {
        switch Int.random(in: 0..<8, using: &random) {
        case 0...1: .match(templateID: nil)
        case 2: .match(templateID: template(&random).id)
        case 3: .inattentiveMatch
        case 4: .badCapture(.tooDark)
        case 5: .spoof
        default: .nonMatch
        }
    }

    private static func enrolment(_ random: inout SeededGenerator) -> GateInput {
        let (template, modality) = (template(&random), modality(&random))
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6: return .enrol(template, on: modality)
        case 6: return .replace(templateID: template.id, with: BiometricTemplate(id: [8], name: ""), on: modality)
        case 7: return .rename(templateID: template.id, to: "renamed", on: modality)
        default: return .removeTemplate(id: template.id, on: modality)
        }
    }

    private static func template(_ random: inout SeededGenerator) -> BiometricTemplate {
        BiometricTemplate(id: [UInt8.random(in: 1...7, using: &random)], name: "")
    }

    private static func modality(_ random: inout SeededGenerator) -> BiometricModality? {
        [nil, .fingerprint, .face, .voice].randomElement(using: &random) ?? nil
    }
}
