import CommandLineKit
import Contract
import Domain
import JSON

/// Reads a salon and finds every value that ``SalonCodec`` rejects.
///
/// The codec stops at the first mismatch. So each rejected value is replaced with that of a valid
/// salon, and the result is read again, until nothing is rejected.
struct SalonReader {
    struct Result {
        /// The salon, with placeholders for values that are not valid; nil if it cannot be read.
        var salon: Salon?
        /// Whether the salon has an id.
        var hasID: Bool
        /// The values that the codec rejects, by their paths within the salon.
        var mismatches: [(path: String, expected: String)] = []
        /// The paths of the values that are placeholders.
        var replacedPaths: Set<String> = []
        /// The members that the codec ignores, each with the known name that was probably meant.
        var unknownNames: [(path: String, nearest: String?)] = []
        /// The paths of members that occur more than once.
        var repeatedNames: [String] = []
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
        var replacements = result.hasID ? [:] : sample.values.filter { $0.key == "id" }
        while result.salon == nil {
            do throws(JSONError) {
                let replaced = try value.replacing(replacements)
                do throws(JSONError) {
                    result.salon = try SalonCodec.read(replaced)
                } catch .mismatch(let location, let expected) {
                    var path = location.description
                    if let hours = hours(at: path, in: replaced), replacements[hours.path] == nil {
                        result.mismatches += hours.mismatches
                        path = hours.path
                    } else if replacements[path] == nil {
                        result.mismatches.append((path, expected))
                    }
                    // A mismatch that remains, or is at an unknown place, is due to its parent.
                    while replacements[path] != nil || sample.replacement(at: path) == nil {
                        if path.isEmpty { return result }
                        path = path.parentPath
                    }
                    replacements[path] = sample.replacement(at: path)
                }
            } catch {
                return result
            }
        }
        result.replacedPaths = Set(replacements.keys)
        return result
    }

    /// The hours of a week or a day at `path` or above it, and everything that is wrong with them;
    /// nil if the path is not in hours.
    private func hours(
        at path: String,
        in salon: JSONValue
    ) -> (path: String, mismatches: [(path: String, expected: String)])? {
        var place = path
        while !SampleSalon.weeklyPaths.contains(place.withoutIndexes),
            !SampleSalon.dayPaths.contains(place.withoutIndexes)
        {
            if place.isEmpty { return nil }
            place = place.parentPath
        }
        guard let value = salon.descendant(at: place) else { return nil }
        var errors: [JSONError] = []
        if SampleSalon.weeklyPaths.contains(place.withoutIndexes) {
            _ = WeeklyHoursCodec.read(value, collecting: &errors)
        } else {
            _ = DayHoursCodec.read(value, collecting: &errors)
        }
        var mismatches: [(path: String, expected: String)] = []
        for case .mismatch(let path, let expected) in errors {
            mismatches.append((path.description, expected))
        }
        return mismatches.isEmpty ? nil : (place, mismatches)
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
            let memberPath = path.isEmpty ? name : "\(path).\(name)"
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
