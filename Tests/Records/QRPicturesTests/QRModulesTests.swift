import QRPictures
import Testing

/// QR codes as pictures; other programs read them in the tests of the hybrid transport.
struct QRModulesTests {
    @Test("A code has its three finders, and a border of four light modules")
    func finders() throws {
        let code = try QRModules(text: "FIDO:/16736865")
        for (column, row) in [(0, 0), (code.side - 7, 0), (0, code.side - 7)] {
            for index in 0..<7 { #expect(code.isDark(column + index, row) && code.isDark(column, row + index)) }
        }
        for index in -4..<code.side + 4 {
            #expect(!code.isDark(index, -1) && !code.isDark(-4, index) && !code.isDark(index, code.side + 3))
        }
    }

    @Test("A text that does not fit, and one with a byte 0, is refused")
    func refusals() {
        #expect(throws: QRPictureError.tooLong(8000)) { try QRModules(text: String(repeating: "a", count: 8000)) }
        #expect(throws: QRPictureError.zeroByte) { try QRModules(text: "a\0b") }
    }

    @Test("Each line of the terminal has two rows of modules, and its colours only where they are wanted")
    func terminal() throws {
        let code = try QRModules(text: "FIDO:/16736865")
        let lines = code.lines(colored: false)
        #expect(lines.count == (code.side + 8 + 1) / 2 && lines.allSatisfy { $0.count == code.side + 8 })
        #expect(lines[0].allSatisfy { $0 == " " } && lines[2].hasPrefix("    █▀▀▀▀▀█"))
        #expect(lines.joined().allSatisfy { " ▀▄█".contains($0) })
        for (plain, colored) in zip(lines, code.lines(colored: true)) {
            #expect(colored == "\u{1B}[38;5;16;48;5;231m\(plain)\u{1B}[0m")
        }
    }
}
