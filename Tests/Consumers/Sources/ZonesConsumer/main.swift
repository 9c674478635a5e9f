import CivilTime
import Zones

guard let berlin = ZoneID("Europe/Berlin"), let rules = ZoneDirectory().rules(of: berlin)
else { preconditionFailure("no rules of Europe/Berlin") }
precondition(rules.offsetSeconds(at: Timestamp(secondsSince1970: 1_729_418_699)) == 7_200)
