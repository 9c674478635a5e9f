import Contract
import Domain
import JSON
import SystemSupport

/// Reads a salon and finds every value that ``SalonCodec`` rejects.
///
/// A codec stops at the first mismatch. So each rejected value is replaced with that of a valid
/// salon, and the result is read again, until nothing is rejected. This is done separately for each
/// element of a list, so that the time is proportional to the length of the text.
struct SalonReader {
    struct Result {
        /// The salon, with placeholders for values that are not valid; nil if it cannot be read.
        var salon: Salon?
        /// Whether the salon has an id.
        var hasID: Bool
        /// The values that the codec rejects, by their paths within the salon, in the order of a
        /// salon.
        var mismatches: [(path: String, expected: String)] = []
        /// The paths of the values that are placeholders.
        var replacedPaths: Set<String> = []
        /// The members that the codec ignores, each with the known name that was probably meant.
        var unknownNames: [(path: String, nearest: String?)] = []
        /// The paths of members that occur more than once.
        var repeatedNames: [String] = []

        /// Whether the value at a path is a placeholder, or part of one.
        func isReplaced(_ path: String) -> Bool {
            if replacedPaths.contains(path) || replacedPaths.contains("") { return true }
            return path.indices.contains { index in
                ".[".contains(path[index]) && replacedPaths.contains(String(path[..<index]))
            }
        }
    }

    private let sample = SampleSalon()

    /// Reads a salon. An id may be missing.
    func read(_ value: JSONValue) -> Result {
        let id = try? value.object().optional("id")
        var result = Result(hasID: value.kind != .object || id != nil)
        findNames(in: value, at: "", &result)
        if result.hasID, let salon = try? SalonCodec.read(value) {
            result.salon = salon
            return result
        }
        var repair = SalonRepair(sample: sample, result: result)
        let missing = result.hasID ? [:] : sample.values.filter { $0.key == "id" }
        if let repaired = try? repair.repair(value, at: "", adding: missing) {
            repair.result.salon = try? SalonCodec.read(repaired)
        }
        return repair.result
    }

    /// Finds the members that are unknown or occur more than once.
    private func findNames(in value: JSONValue, at path: String, _ result: inout Result) {
        if let array = try? value.array() {
            for (index, element) in array.enumerated() {
                findNames(in: element, at: "\(path)[\(index)]", &result)
            }
        }
        guard let object = try? value.object(),
            let known = sample.names[path.withoutIndexes]
        else { return }
        var names: Set<String> = []
        for (name, member) in object {
            let memberPath = path.appending(member: name)
            if !names.insert(name).inserted {
                result.repeatedNames.append(memberPath)
            } else if known.contains(name) {
                findNames(in: member, at: memberPath, &result)
            } else if !SampleSalon.weeklyPaths.contains(path.withoutIndexes) {
                // An unknown day is not ignored, but a mismatch.
                let nearest = NearestName.suggestion(for: name, among: known)
                result.unknownNames.append((memberPath, nearest))
            }
        }
    }
}
