mod copies;
mod files;
mod trees;
