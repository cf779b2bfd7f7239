// What stands in a report, in its order.
// Thread rule: values and pure functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "apps/throughput-report/html.h"
#include "apps/throughput-report/picture.h"

namespace throughput {

struct NamedTable {
  std::string caption;
  Table table;
};

struct Section {
  std::string id;  // for links within the page
  std::string heading;
  std::string text;                   // what is to be seen, or what is missing and how to get it
  std::vector<std::string> findings;  // a list below the text
  std::vector<Picture> pictures;      // each is followed by its table
  std::vector<NamedTable> tables;     // those that stand for no picture
};

// `scaling`: with the section of the scaling law.
std::vector<Section> SectionsOf(const Study& study, bool scaling);

}  // namespace throughput
