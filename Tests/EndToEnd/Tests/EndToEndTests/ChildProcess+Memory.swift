import Foundation
import Testing

extension ChildProcess {
    /// The peak resident memory of the process (`VmHWM` in proc(5)).
    func peakKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
        return try #require(Int(line.filter(\.isNumber)))
    }
}
