mod copies;
mod embedding;
mod files;
mod trees;
